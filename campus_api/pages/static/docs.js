// The reference: Swagger UI shows the description, with examples of code.

import { accessible } from "./accessible.js";
import { codeSamples } from "./samples.js";

const reference = document.querySelector("#reference");
const base = new URL(document.body.dataset.base, location.href);

function followTheScheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}

async function describe() {
  const answer = await fetch(new URL("openapi.json", base));
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer.json();
}

function show(description) {
  window.SwaggerUIBundle({
    spec: description,
    domNode: reference,
    plugins: [accessible(reference), codeSamples(description, base.href.replace(/\/$/, ""))],
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    syntaxHighlight: { theme: "obsidian" },
    // Another host would be asked for its opinion.
    validatorUrl: null,
    onComplete: () => reference.removeAttribute("aria-busy"),
  });
}

followTheScheme();
describe().then(show, (error) => {
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.setAttribute("role", "alert");
  notice.textContent = `The description could not be read (${error.message}). Try again in a moment.`;
  reference.replaceChildren(notice);
  reference.removeAttribute("aria-busy");
});
