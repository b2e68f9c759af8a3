// A Swagger UI plugin that adds the labels and focus that keyboards and screen readers need.

const hide = () => () => null;

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

export function accessibility(root) {
  new MutationObserver(() => addLabels(root)).observe(root, { childList: true, subtree: true });
  return ({ React: { createElement: h } }) => ({
    components: {
      // Swagger UI logs a warning if a string format has no component of its own.
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
