import { fetchJson } from "./api.js";
import { errorMessage } from "./dom.js";

const hide = () => () => null;
const TECHNICAL = new Set(["_t", "If-None-Match", "X-Request-Id"]);
const reference = document.querySelector("#reference");

function labelInput(input) {
  const name = input.closest("[data-param-name]")?.dataset.paramName;
  if (name && !input.labels?.length && !input.hasAttribute("aria-label")) {
    input.setAttribute("aria-label", name);
  }
}

function addLabels(root) {
  root.querySelectorAll("input, select, textarea").forEach(labelInput);
  root.querySelectorAll(".copy-to-clipboard button").forEach((button) => button.setAttribute("aria-label", "Copy"));
  root
    .querySelectorAll(".json-schema-form-item-remove")
    .forEach((button) => button.setAttribute("aria-label", "Remove"));
  // Below the title, the headings of Swagger UI begin with <h3>.
  root.querySelectorAll("h3, h4, h5, h6").forEach((heading) => (heading.ariaLevel = heading.localName[1] - 1));
  root.querySelectorAll("pre").forEach((pre) => (pre.tabIndex = 0));
}

/** Return the plugin of Swagger UI that adds the labels and focus that keyboards and screen readers need. */
function accessibility(root) {
  new MutationObserver(() => addLabels(root)).observe(root, { childList: true, subtree: true });
  return ({ React: { createElement: h } }) => ({
    components: {
      // Swagger UI logs a warning if a string format has no component.
      JsonSchema_string_date: (props) => h(props.getComponent("JsonSchema_string"), props),
    },
    wrapComponents: {
      // The button around the link already has the same target.
      DeepLink: () => (props) => h("span", null, props.text),
      ServersContainer: hide,
      headers: (Headers) => (props) =>
        h("details", { className: "headers" }, h("summary", null, "Headers"), h(Headers, props)),
    },
  });
}

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
