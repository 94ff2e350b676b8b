// The page of a report: its data is in it.
{
  const data = JSON.parse(document.getElementById("data").textContent);
  showReport(data);
  const date = document.getElementById("made-at");
  if (date) date.textContent = new Date(Number(date.dataset.seconds) * 1000).toISOString().slice(0, 16).replace("T", " ") + " UTC";
}
