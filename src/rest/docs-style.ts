/** The style sheet of the API's page; light or dark as the reader's system is. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1c2024, #e6e8eb); --soft: light-dark(#5c646d, #9aa3ad); --page: light-dark(#ffffff, #14171a);
  --raised: light-dark(#f5f6f8, #1d2125); --line: light-dark(#dde1e6, #2e343b); --link: light-dark(#0b5cad, #7cb7ff); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); font: 15px/1.55 system-ui, sans-serif; color: var(--text); background: var(--page); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem; border-right: 1px solid var(--line); font-size: 14px; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li { margin: .3rem 0; line-height: 1.35; }
nav a { color: var(--text); }
.brand { margin: 0 0 1.25rem; font-size: 1.25rem; font-weight: 650; }
.brand span, .scope, em { color: var(--soft); font-size: 13px; font-weight: 400; font-style: normal; }
.group { margin: 0 0 .3rem; font-weight: 600; color: var(--soft); }
main { max-width: 58rem; padding: 2rem 2.5rem 6rem; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 3rem 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin: 0 0 .4rem; font-size: 1rem; display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
.lead { font-size: 1.05rem; color: var(--soft); }
section { margin: 0 0 1.25rem; padding: 1.1rem 1.25rem; border: 1px solid var(--line); border-radius: 10px; }
section:target, details:target, tr:target { border-color: var(--link); background: var(--raised); }
section p { margin: .3rem 0 .8rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: .6rem 0 0; padding: .8rem 1rem; overflow-x: auto; background: var(--raised); border-radius: 8px; }
.method { min-width: 4.2rem; padding: .1rem .5rem; border-radius: 6px; text-align: center; font-size: 12px; font-weight: 650; color: #fff; background: #2f6f4f; }
.method.post { background: #1f5fa8; }
.method.patch { background: #8a5a00; }
.method.delete { background: #a33030; }
.scroll { overflow-x: auto; margin: .6rem 0; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 13px; }
th, td { padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
summary { cursor: pointer; color: var(--soft); }
.schema { margin: .5rem 0; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
.schema summary { color: var(--text); }
@media (max-width: 52rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.5rem 1rem 4rem; }
}
`;
