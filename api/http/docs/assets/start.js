/**
 * What the documentation page does in the browser. The server writes GIVEN_KEY before this file: the key that every
 * visitor is shown; empty: none. The key in use is stored in the tab's session: it survives reloads, and ends with the
 * tab.
 */
const STORED_AS = "company-register-key";
const base = new URL(".", location.href).href.replace(/\/$/, "");
const field = document.getElementById("key");

function fill(name, text) {
  for (const element of document.querySelectorAll("#start ." + name)) element.textContent = text;
}

let remembered;
function remember(key) {
  if (key === remembered) return;
  remembered = key;
  sessionStorage.setItem(STORED_AS, key);
  field.value = key;
  fill("key", key || "KEY");
}

function currentKey() {
  return ui.authSelectors.authorized().getIn(["basic", "value", "username"], "");
}

function useKey(key) {
  if (key) ui.preauthorizeBasic("basic", key, "");
  else ui.authActions.logout(["basic"]);
  remember(key);
}

fill("base", base);
fill("given", GIVEN_KEY);
document.getElementById("given").hidden = !GIVEN_KEY;
document.getElementById("operator").hidden = Boolean(GIVEN_KEY);

// Without the address of a validator the page does not call the one of Swagger's makers, which is on the web.
const ui = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#page",
  deepLinking: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  // Shows the known values of a text, and their labels.
  showExtensions: true,
  presets: [SwaggerUIBundle.presets.apis],
  onComplete: () => {
    useKey(sessionStorage.getItem(STORED_AS) ?? GIVEN_KEY);
    // From now on the page shows the same key everywhere, however it is entered or removed.
    ui.getStore().subscribe(() => remember(currentKey()));
    field.addEventListener("change", () => useKey(field.value.trim()));
  },
});
