// Examples of code for each operation of Swagger UI, for the host that the page comes from.

const HOST = "http://localhost:6543";

let language = 0;

function copyButton(h, source) {
  if (!navigator.clipboard) return null;
  const copy = (event) => {
    const button = event.currentTarget;
    navigator.clipboard.writeText(source).then(() => {
      button.textContent = "Copied";
    });
  };
  // A key of its own: what was copied is said of this text only.
  return h("button", { type: "button", className: "copy", onClick: copy, key: source }, "Copy");
}

export function codeSamples(description, here) {
  return ({ React: { createElement: h, useState } }) => {
    function Samples({ samples }) {
      const [chosen, choose] = useState(language);
      const source = samples[chosen].source.replaceAll(HOST, here);
      const tab = ({ label }, index) => {
        const onClick = () => choose((language = index));
        return h("button", { type: "button", key: label, "aria-pressed": index === chosen, onClick }, label);
      };
      return h(
        "section",
        { className: "samples", "aria-label": "Examples of code" },
        h("div", { className: "languages" }, samples.map(tab), copyButton(h, source)),
        h("pre", { tabIndex: 0 }, h("code", null, source)),
      );
    }
    const before = (Parameters) => (props) => {
      const [path, method] = props.pathMethod;
      const samples = description.paths[path]?.[method]?.["x-codeSamples"];
      return h("div", null, samples && h(Samples, { samples }), h(Parameters, props));
    };
    return { wrapComponents: { parameters: before } };
  };
}
