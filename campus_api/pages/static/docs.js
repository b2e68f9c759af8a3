import { fetchJson } from "./api.js";
import { errorMessage } from "./dom.js";
import { accessibility } from "./swagger-accessibility.js";

const TECHNICAL = new Set(["_t", "If-None-Match", "X-Request-Id"]);
const reference = document.querySelector("#reference");

function followColorScheme() {
  const darkScheme = matchMedia("(prefers-color-scheme: dark)");
  const update = () => document.documentElement.classList.toggle("dark-mode", darkScheme.matches);
  darkScheme.addEventListener("change", update);
  update();
}

/** Remove the parameters that no newcomer needs; the OpenAPI document describes them. */
function simplify({ data: spec }) {
  const { parameters: shared } = spec.components;
  const isNeeded = ({ $ref, name }) => !TECHNICAL.has(name ?? shared[$ref.split("/").pop()].name);
  for (const { get } of Object.values(spec.paths)) {
    get.parameters = get.parameters.filter(isNeeded);
  }
  return spec;
}

function showReference(spec) {
  window.SwaggerUIBundle({
    spec,
    domNode: reference,
    plugins: [accessibility(reference)],
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    syntaxHighlight: { theme: "obsidian" },
    // Do not send the document to the online validator.
    validatorUrl: null,
    onComplete: () => reference.removeAttribute("aria-busy"),
  });
}

function showError(error) {
  reference.replaceChildren(errorMessage(error, () => location.reload()));
  reference.removeAttribute("aria-busy");
}

followColorScheme();
fetchJson("openapi.json").then(simplify).then(showReference, showError);
