// What Swagger UI lacks for keyboards and screen readers, and what says nothing here.

const hidden = () => () => null;

function named(control) {
  const parameter = control.closest("[data-param-name]")?.dataset.paramName;
  if (parameter && !control.labels?.length && !control.hasAttribute("aria-label")) {
    control.setAttribute("aria-label", parameter);
  }
}

function complete(root) {
  root.querySelectorAll("input, select, textarea").forEach(named);
  root.querySelectorAll(".copy-to-clipboard button").forEach((button) => button.setAttribute("aria-label", "Copy"));
  root.querySelectorAll(".json-schema-form-item-remove").forEach((button) => button.setAttribute("aria-label", "Remove"));
  root.querySelectorAll("pre").forEach((pre) => (pre.tabIndex = 0));
}

export function accessible(root) {
  new MutationObserver(() => complete(root)).observe(root, { childList: true, subtree: true });
  return ({ React: { createElement: h } }) => ({
    components: {
      // It is looked for, and said to be missing, though any text does.
      JsonSchema_string_date: (props) => h(props.getComponent("JsonSchema_string"), props),
    },
    wrapComponents: {
      // The button around it leads there already.
      DeepLink: () => (props) => h("span", null, props.text),
      ServersContainer: hidden,
      headers: (Headers) => (props) =>
        h("details", { className: "headers" }, h("summary", null, "Headers"), h(Headers, props)),
    },
  });
}
