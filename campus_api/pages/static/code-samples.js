// A Swagger UI plugin that shows the x-codeSamples of each operation.

const EXAMPLE_SERVER = "http://localhost:6543";

// Shared by all operations: a language stays selected when another one is opened.
let selectedLanguage = 0;

function copyButton(h, source) {
  if (!navigator.clipboard) return null;
  const copy = (event) => {
    const button = event.currentTarget;
    navigator.clipboard.writeText(source).then(() => {
      button.textContent = "Copied";
    });
  };
  // The key makes React replace the button, and its label, for another source.
  return h("button", { type: "button", className: "btn btn-sm copy", onClick: copy, key: source }, "Copy");
}

/** Return the plugin; in the samples, `serverUrl` replaces the server of the examples. */
export function codeSamples(spec, serverUrl) {
  return ({ React: { createElement: h, useState } }) => {
    function CodeSamples({ samples }) {
      const [selected, select] = useState(selectedLanguage);
      const source = samples[selected].source.replaceAll(EXAMPLE_SERVER, serverUrl);
      const languageButton = ({ label }, index) => {
        const onClick = () => select((selectedLanguage = index));
        const pressed = { "aria-pressed": index === selected };
        return h("button", { type: "button", className: "btn btn-sm", key: label, ...pressed, onClick }, label);
      };
      return h(
        "section",
        { className: "samples", "aria-label": "Code examples" },
        samples.map(languageButton),
        copyButton(h, source),
        h("pre", { className: "microlight", tabIndex: 0 }, h("code", null, source)),
      );
    }
    const withSamples = (Parameters) => (props) => {
      const [path, method] = props.pathMethod;
      const samples = spec.paths[path]?.[method]?.["x-codeSamples"];
      return h("div", null, samples && h(CodeSamples, { samples }), h(Parameters, props));
    };
    return { wrapComponents: { parameters: withSamples } };
  };
}
