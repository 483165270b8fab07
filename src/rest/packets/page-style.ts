/** The style sheet of pages for people: a published packet, an invitation. Light or dark as the reader's system is. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --text: light-dark(#1c2024, #e6e8eb); --soft: light-dark(#5c646d, #9aa3ad); --page: light-dark(#fbfbfa, #14171a);
  --card: light-dark(#ffffff, #1b1f23); --line: light-dark(#e1e4e8, #2e343b); --accent: light-dark(#0b5cad, #7cb7ff);
  --good: light-dark(#1d6b43, #7fd6a6); --bad: light-dark(#a12d2d, #f2a3a3); --mixed: light-dark(#855600, #e7bd6a); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.6 system-ui, -apple-system, "Segoe UI", sans-serif; color: var(--text); background: var(--page); overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
header p { margin: 0; color: var(--soft); font-size: .9rem; }
h1 { margin: .3rem 0 1.2rem; font-size: 1.6rem; line-height: 1.3; font-weight: 650; }
h2 { margin: 2.2rem 0 .6rem; font-size: .82rem; font-weight: 650; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
p, li, dd { white-space: pre-line; }
ul { margin: 0; padding: 0; list-style: none; }
li { margin: 0 0 .6rem; padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
li p { margin: .25rem 0 0; color: var(--soft); font-size: .94rem; }
.first { margin: 1.4rem 0; padding: 1rem 1.2rem; background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 10px; }
.first b { display: block; margin-bottom: .2rem; font-size: .82rem; letter-spacing: .06em; text-transform: uppercase; color: var(--accent); }
.mark { display: inline-block; margin-right: .5rem; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 99px; font-size: .75rem; font-weight: 600; }
.succeeded { color: var(--good); } .failed { color: var(--bad); } .partial { color: var(--mixed); } .locked { color: var(--accent); }
.tags span { display: inline-block; margin: 0 .4rem .4rem 0; padding: .05rem .6rem; border: 1px solid var(--line); border-radius: 99px; font-size: .85rem; color: var(--soft); }
code, pre { font: .88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { padding: .1em .3em; background: var(--card); border: 1px solid var(--line); border-radius: 5px; }
pre { margin: .6rem 0 0; padding: 1rem; overflow-x: auto; white-space: pre-wrap; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
pre code { padding: 0; border: 0; background: none; }
details { margin-top: 2.2rem; }
summary { cursor: pointer; color: var(--accent); }
a { color: var(--accent); }
footer { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .88rem; }
footer p { margin: .15rem 0; }
form { display: grid; gap: 1rem; margin: 1rem 0; padding: 1.3rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
label { display: grid; gap: .25rem; font-weight: 600; font-size: .94rem; }
label small { font-weight: 400; color: var(--soft); }
input { padding: .55rem .7rem; font: inherit; color: var(--text); background: var(--page); border: 1px solid var(--line); border-radius: 8px; }
input:focus-visible, button:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button { justify-self: start; padding: .6rem 1.3rem; font: inherit; font-weight: 600; color: light-dark(#fff, #10141a); background: var(--accent); border: 0; border-radius: 8px; cursor: pointer; }
.problem { margin: 1rem 0; padding: .7rem 1rem; color: var(--bad); border: 1px solid currentColor; border-radius: 10px; }
.secret { font-size: 1rem; user-select: all; }
`;
