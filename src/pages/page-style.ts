/** One style for every page, light or dark as the reader's system is. It is named to browsers by its hash, so that no other can be slipped in. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:light-dark(#f4f5f7,#0f1115);--card:light-dark(#fff,#181b21);--ink:light-dark(#16181d,#eceef2);--soft:light-dark(#5c6370,#9aa3b2);--line:light-dark(#dfe2e8,#2c313b);--edge:light-dark(#868d99,#6b7382);--accent:light-dark(#2f5bea,#7d9bff);--accent-ink:light-dark(#fff,#0d1226);--tint:light-dark(#eef2ff,#1f2640);--good:light-dark(#1d6b43,#7fd6a6);--mixed:light-dark(#855600,#e7bd6a);--bad:light-dark(#b3261e,#ffb4ab);--bad-tint:light-dark(#fdecea,#3a1d1b)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
.brand{display:flex;align-items:center;gap:10px;margin:0 0 20px;color:var(--soft);font-size:14px;font-weight:600;letter-spacing:.02em}
.brand svg{width:24px;height:24px;color:var(--accent)}
h1{font-size:22px;line-height:1.3;margin:0 0 6px}
p{margin:0 0 14px}
a{color:var(--accent)}
.soft,small,em{color:var(--soft);font-size:14px;font-style:normal}
.soft strong{color:var(--ink)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
code,pre{font:13px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,monospace}
code{background:var(--tint);padding:2px 6px;border-radius:6px}
pre{margin:10px 0 14px;padding:12px 14px;overflow-x:auto;white-space:pre-wrap;background:var(--card);border:1px solid var(--line);border-radius:10px}
pre code{padding:0;background:none}
.secret{font-size:15px;user-select:all}
summary{cursor:pointer;color:var(--accent);font-size:14px}
footer{margin-top:18px;padding-top:14px;border-top:1px solid var(--line);font-size:13px;color:var(--soft)}
footer p{margin:2px 0}
footer form{display:inline}
.note{background:var(--tint);border-radius:10px;padding:10px 12px;font-size:14px}
.note code{background:var(--card)}
.bad{background:var(--bad-tint);color:var(--bad)}

label{display:block;font-size:14px;font-weight:600;margin:14px 0 6px}
label small{font-weight:400;font-size:13px;margin-left:4px}
input[type=text],input[type=email],input[type=password]{width:100%;font:inherit;padding:10px 12px;border:1px solid var(--edge);border-radius:10px;background:var(--ground);color:var(--ink)}
input.code{font:600 24px/1.2 ui-monospace,"SF Mono",Menlo,Consolas,monospace;letter-spacing:.12em;text-align:center;text-transform:uppercase}
button{font:inherit;font-weight:600;border-radius:10px;padding:10px 16px;border:1px solid transparent;cursor:pointer;width:100%}
button.yes{background:var(--accent);color:var(--accent-ink)}
button.no{background:transparent;border-color:var(--edge);color:var(--ink)}
button.link{width:auto;padding:0;border:0;background:none;color:var(--accent);font-weight:400;font-size:inherit;text-decoration:underline}
button:hover{filter:brightness(1.06)}
.act{margin:18px 0 0}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin-top:20px}
fieldset{border:1px solid var(--line);border-radius:12px;padding:4px 14px;margin:16px 0 0}
legend{font-size:13px;font-weight:600;color:var(--soft);padding:0 6px;margin-left:-6px}
.choice{display:grid;grid-template-columns:20px 1fr;gap:10px;align-items:start;margin:0;padding:10px 0;font-weight:400;font-size:15px;cursor:pointer}
.choice+.choice{border-top:1px solid var(--line)}
.choice input{width:18px;height:18px;margin:3px 0 0;accent-color:var(--accent)}
.choice small{display:block;margin:0}

.card{min-height:100vh;display:grid;place-items:center;padding:24px 16px}
.card main{width:100%;max-width:440px;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:28px 28px 24px;box-shadow:0 1px 2px rgb(0 0 0/.05),0 12px 32px rgb(0 0 0/.07)}
.card details{margin-top:18px;border-top:1px solid var(--line);padding-top:14px}

.article main{max-width:46rem;margin:0 auto;padding:40px 20px 80px}
.article h1{font-size:26px;margin-bottom:20px}
.article h2{margin:36px 0 10px;font-size:13px;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
.article p,.article li{white-space:pre-line}
.article .soft{margin:0}
.article form,.article li,.first{background:var(--card);border:1px solid var(--line);border-radius:10px}
.article form{padding:8px 22px 22px}
.article button{width:auto;min-width:140px}
.article ul{margin:0;padding:0;list-style:none}
.article li{margin:0 0 10px;padding:12px 16px}
.article li p{margin:4px 0 0;color:var(--soft);font-size:15px}
.first{margin:20px 0;padding:16px 20px;border-left:4px solid var(--accent)}
.first b{display:block;margin-bottom:4px;font-size:13px;letter-spacing:.06em;text-transform:uppercase;color:var(--accent)}
.mark,.tags span{display:inline-block;border:1px solid;border-radius:99px}
.mark{margin-right:8px;padding:0 8px;font-size:12px;font-weight:600}
.succeeded{color:var(--good)}.failed{color:var(--bad)}.partial{color:var(--mixed)}.locked{color:var(--accent)}
.tags span{margin:0 6px 6px 0;padding:1px 10px;border-color:var(--line);font-size:14px;color:var(--soft)}
.article details{margin-top:36px}

.reference{display:grid;grid-template-columns:17rem minmax(0,1fr);background:var(--card);font-size:15px}
.reference nav{position:sticky;top:0;height:100vh;overflow-y:auto;padding:24px;background:var(--ground);border-right:1px solid var(--line);font-size:14px}
.reference nav ul{list-style:none;margin:0 0 16px;padding:0}
.reference nav li{margin:5px 0;line-height:1.35}
.reference nav a{color:var(--ink)}
.reference .group{margin:0 0 5px;font-weight:600;color:var(--soft)}
.reference a{text-decoration:none}
.reference a:hover{text-decoration:underline}
.reference main{max-width:58rem;padding:32px 40px 96px}
.reference h1{font-size:28px}
.reference h2{margin:48px 0 16px;padding-bottom:6px;border-bottom:1px solid var(--line);font-size:21px}
.reference h3{margin:0 0 6px;font-size:16px;display:flex;flex-wrap:wrap;gap:10px;align-items:center}
.reference section,.schema{margin:0 0 20px;padding:18px 20px;border:1px solid var(--line);border-radius:10px}
.schema{margin:0 0 8px;padding:8px 16px}
.reference :target{border-color:var(--accent);background:var(--tint)}
.method{min-width:68px;padding:2px 8px;border-radius:6px;text-align:center;font-size:12px;color:#fff;background:#2f6f4f}
.method.post{background:#1f5fa8}.method.patch{background:#8a5a00}.method.delete{background:#a33030}
.scroll{overflow-x:auto;margin:10px 0}
table{width:100%;border-collapse:collapse;font-size:14px;overflow-wrap:normal}
th{text-align:left;font-size:13px;color:var(--soft)}
th,td{padding:6px 13px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
td:first-child code{white-space:nowrap}
@media (max-width:52rem){.reference{display:flex;flex-direction:column}.reference nav{order:2;position:static;height:auto;border-right:0;border-top:1px solid var(--line)}.reference main{padding:24px 16px 64px}}
`;
