// The button that overrules the system's choice between light and dark.
{
  const button = document.getElementById("theme");
  const themes = ["auto", "light", "dark"];
  button.addEventListener("click", () => {
    const now = themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % themes.length];
    if (now === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    button.textContent = "theme: " + now;
  });
}
