//! Compares messages with the schemas of the document at `/api`.

use std::sync::LazyLock;

use serde_json::Value;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../src/openapi.json")).unwrap());

/// A message is as the schema of this name says.
pub(crate) fn check(name: &str, value: &Value) {
    if let Err(why) = fits(&DOCUMENT["components"]["schemas"][name], value) {
        panic!("{value} is not as the document says of {name}: {why}");
    }
}

/// An answer is as the document says.
pub(crate) fn check_answer(method: &str, path: &str, status: u16, value: &Value) {
    let path = path.split('?').next().unwrap();
    let parts: Vec<&str> = path.split('/').collect();
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let same = |documented: &&String| {
        let own: Vec<&str> = documented.split('/').collect();
        own.len() == parts.len()
            && own
                .iter()
                .zip(&parts)
                .all(|(own, part)| *own == "{id}" || own == part)
    };
    let documented = paths
        .keys()
        .find(same)
        .unwrap_or_else(|| panic!("{path} is not documented"));
    let operation = &paths[documented][method];
    if status >= 400 {
        check("Refusal", value);
        return;
    }
    let schema =
        &operation["responses"][status.to_string()]["content"]["application/json"]["schema"];
    assert!(
        schema.is_object(),
        "{method} {path}: {status} is not documented"
    );
    if let Err(why) = fits(schema, value) {
        panic!("{method} {path}: {value}: {why}");
    }
}

fn fits(schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        let schema = &DOCUMENT["components"]["schemas"][name];
        assert!(schema.is_object(), "there is no schema {name}");
        return fits(schema, value).map_err(|why| format!("{name}: {why}"));
    }
    if let Some(variants) = schema["oneOf"].as_array() {
        let tried: Vec<Result<(), String>> = variants.iter().map(|v| fits(v, value)).collect();
        return match tried.iter().filter(|tried| tried.is_ok()).count() {
            1 => Ok(()),
            n => Err(format!("{n} variants fit: {tried:?}")),
        };
    }
    if let Some(wanted) = schema.get("const") {
        return if wanted == value {
            Ok(())
        } else {
            Err(format!("{value} is not {wanted}"))
        };
    }
    if let Some(words) = schema["enum"].as_array() {
        return if words.contains(value) {
            Ok(())
        } else {
            Err(format!("{value} is none of {words:?}"))
        };
    }
    let good = match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("array") => {
            let Some(list) = value.as_array() else {
                return Err(format!("{value} is no list"));
            };
            return list
                .iter()
                .try_for_each(|item| fits(&schema["items"], item));
        }
        Some("object") => return fits_object(schema, value),
        other => panic!("the schema has the type {other:?}"),
    };
    if good {
        Ok(())
    } else {
        Err(format!("{value} is no {}", schema["type"]))
    }
}

fn fits_object(schema: &Value, value: &Value) -> Result<(), String> {
    let Some(object) = value.as_object() else {
        return Err(format!("{value} is no object"));
    };
    for key in schema["required"].as_array().into_iter().flatten() {
        if !object.contains_key(key.as_str().unwrap()) {
            return Err(format!("{key} is missing"));
        }
    }
    let Some(properties) = schema["properties"].as_object() else {
        let values = &schema["additionalProperties"];
        return if values.is_object() {
            object.values().try_for_each(|value| fits(values, value))
        } else {
            Ok(())
        };
    };
    for (key, value) in object {
        // Every message has its number.
        if key == "n" && properties.contains_key("news") {
            continue;
        }
        match properties.get(key) {
            Some(schema) => fits(schema, value).map_err(|why| format!("{key}: {why}"))?,
            None => return Err(format!("{key} is not documented")),
        }
    }
    Ok(())
}
