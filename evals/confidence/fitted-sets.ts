/** The sets that evals/confidence/fit.py fits to, apart from those of this project. Nothing is fitted to or chosen on any other. */
export const FITTED_SETS: ReadonlySet<string> = new Set(
  [
    'arcd-train-s cmrc-p cmrc-s friendsqa-dev jaquad-train-p jaquad-train-s locomo-odd locomo-user molweni qmsum-val tquad-p tquad-s',
    'xquad-de-p xquad-de-s xquad-en-p xquad-en-s xquad-en-s-filled xquad-hi-p xquad-hi-s xquad-ru-p xquad-ru-s',
    'xquad-th-p xquad-th-s xquad-vi-p xquad-vi-s xquad-zh-p xquad-zh-s',
    'remarks-captions-en remarks-kdconv-film remarks-kdconv-music remarks-notes-odd',
    'words-friendsqa-dev words-locomo-odd words-qmsum-val words-xquad-de-s words-xquad-en-s',
    'names-friendsqa-dev names-locomo-odd names-qmsum-val names-xquad-de-s names-xquad-en-s',
  ].flatMap((names) => names.split(' ')),
);
