/** One style for every page. It is named to browsers by its hash, so that no other can be slipped in. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#f4f5f7;--card:#fff;--ink:#16181d;--soft:#5c6370;--line:#dfe2e8;--accent:#2f5bea;--accent-ink:#fff;--tint:#eef2ff;--bad:#b3261e;--bad-tint:#fdecea}
@media (prefers-color-scheme:dark){:root{--ground:#0f1115;--card:#181b21;--ink:#eceef2;--soft:#9aa3b2;--line:#2c313b;--accent:#7d9bff;--accent-ink:#0d1226;--tint:#1f2640;--bad:#ffb4ab;--bad-tint:#3a1d1b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:440px;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:28px 28px 24px;box-shadow:0 1px 2px rgb(0 0 0/.05),0 12px 32px rgb(0 0 0/.07)}
.brand{display:flex;align-items:center;gap:10px;margin:0 0 20px;color:var(--soft);font-size:14px;font-weight:600;letter-spacing:.02em}
.brand svg{width:24px;height:24px;color:var(--accent)}
h1{font-size:22px;line-height:1.3;margin:0 0 6px;overflow-wrap:anywhere}
p{margin:0 0 14px}
.soft{color:var(--soft);font-size:14px}
.soft strong,.facts strong{color:var(--ink);overflow-wrap:anywhere}
label{display:block;font-size:14px;font-weight:600;margin:14px 0 6px}
input[type=text],input[type=password]{width:100%;font:inherit;padding:10px 12px;border:1px solid var(--line);border-radius:10px;background:var(--ground);color:var(--ink)}
input:focus-visible,button:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
input.code{font:600 24px/1.2 ui-monospace,"SF Mono",Menlo,Consolas,monospace;letter-spacing:.12em;text-align:center;text-transform:uppercase}
button{font:inherit;font-weight:600;border-radius:10px;padding:10px 16px;border:1px solid transparent;cursor:pointer;width:100%}
button.yes{background:var(--accent);color:var(--accent-ink)}
button.no{background:transparent;border-color:var(--line);color:var(--ink)}
button.link{width:auto;padding:0;border:0;background:none;color:var(--accent);font-weight:400;font-size:inherit;text-decoration:underline}
button:hover{filter:brightness(1.06)}
.act{margin-top:18px}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin-top:20px}
.note{background:var(--tint);border-radius:10px;padding:10px 12px;font-size:14px;margin:0 0 14px}
.note code{background:var(--card)}
.bad{background:var(--bad-tint);color:var(--bad)}
fieldset{border:1px solid var(--line);border-radius:12px;padding:4px 14px;margin:16px 0 0}
legend{font-size:13px;font-weight:600;color:var(--soft);padding:0 6px;margin-left:-6px}
.choice{display:grid;grid-template-columns:20px 1fr;gap:10px;align-items:start;margin:0;padding:10px 0;font-weight:400;font-size:15px;cursor:pointer}
.choice+.choice{border-top:1px solid var(--line)}
.choice input{width:18px;height:18px;margin:2px 0 0;accent-color:var(--accent)}
.choice small{display:block;color:var(--soft);font-size:13px}
.facts{font-size:14px;color:var(--soft);margin:0 0 14px}
details{margin-top:18px;border-top:1px solid var(--line);padding-top:14px}
summary{cursor:pointer;color:var(--accent);font-size:14px}
code{font:13px ui-monospace,"SF Mono",Menlo,Consolas,monospace;background:var(--tint);padding:2px 6px;border-radius:6px;white-space:nowrap}
footer{margin-top:18px;padding-top:14px;border-top:1px solid var(--line);font-size:13px;color:var(--soft)}
footer form{display:inline}
`;
