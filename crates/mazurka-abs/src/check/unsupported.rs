//! Names of the reference's libraries that Mazurka does not have, and why.

/// Why a module, or a name of it, is missing; `None` for modules that Mazurka does not know at all.
pub(super) fn reason(module: &str) -> Option<&'static str> {
    Some(match module {
        "ABS.DC" => "deployment components (module ABS.DC)",
        "ABS.FLI" => "foreign functions (module ABS.FLI)",
        "ABS.Meta" => "reflection (module ABS.Meta)",
        "ABS.Scheduler" => "user-defined schedulers (module ABS.Scheduler)",
        "ABS.SmartDeploy" => "deployment (module ABS.SmartDeploy)",
        "ABS.Productline" => "software product lines (module ABS.Productline)",
        "ABS.JUnit" => "test reports (module ABS.JUnit)",
        _ => return None,
    })
}

/// The module of the reference that has this name, for names that are not found.
pub(super) fn home_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "DeploymentComponent"
        | "CloudProvider"
        | "DC"
        | "thisDC"
        | "Resourcetype"
        | "Speed"
        | "Cores"
        | "Bandwidth"
        | "Memory"
        | "InfRat"
        | "Fin"
        | "finvalue"
        | "Startupduration"
        | "Shutdownduration"
        | "PaymentInterval"
        | "CostPerInterval" => "ABS.DC",
        "reflect" | "ObjectMirror" | "ProductLine" | "getProductLine" | "ProcessScheduler" => "ABS.Meta",
        "Foreign" => "ABS.FLI",
        "product_name" | "product_features" => "ABS.Productline",
        _ => return None,
    })
}

/// Why an annotation cannot simply be ignored, if so.
pub(super) fn annotation(word: &str) -> Option<&'static str> {
    Some(match word {
        "DC" => "deployment components (annotation `DC`)",
        "Scheduler" => "user-defined schedulers (annotation `Scheduler`)",
        "Foreign" => "foreign functions (annotation `Foreign`)",
        _ => return None,
    })
}
