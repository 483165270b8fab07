import { TEXT } from './0001-foundation.ts';

/**
 * The time that the store believes in, 0 where nothing was ever stored; who published a link; and who or what is removed, so that it is finished
 * whatever happens and nobody comes back by mistake. What was removed before is known from the audit log.
 */
export const removals = `
ALTER TABLE replica ADD COLUMN believed_at bigint NOT NULL DEFAULT 0, ADD COLUMN doubted_at bigint, ADD COLUMN doubt_ran_ms bigint NOT NULL DEFAULT 0;
SET LOCAL ltm.lists_spaces = 'on';
UPDATE replica SET believed_at = 1 WHERE EXISTS (SELECT 1 FROM spaces);
SET LOCAL ltm.lists_spaces = '';

ALTER TABLE public_links ADD COLUMN user_id ${TEXT} NOT NULL DEFAULT '';
UPDATE public_links SET user_id = coalesce(
  (SELECT substr(actor, strpos(actor, ':') + 1) FROM audit
   WHERE op = 'add_link' AND subject = 'link:' || public_links.record_id ORDER BY seq DESC LIMIT 1), space_id);
CREATE INDEX public_links_by_user ON public_links (user_id);

CREATE TABLE removals (
  id ${TEXT} PRIMARY KEY,
  what ${TEXT} NOT NULL CHECK (what IN ('team', 'user')),
  removed_at bigint NOT NULL,
  removed_by ${TEXT} NOT NULL,
  email_sha256 ${TEXT},
  purge_asked_at bigint,
  emptied_at bigint,
  done_at bigint
);
CREATE INDEX removals_by_email ON removals (email_sha256) WHERE email_sha256 IS NOT NULL;
CREATE INDEX removals_open ON removals (id) WHERE done_at IS NULL;
INSERT INTO removals (id, what, removed_at, removed_by)
SELECT substr(subject, 6), CASE op WHEN 'remove_team' THEN 'team' ELSE 'user' END, max(at), max(actor) FROM audit
WHERE op IN ('remove_team', 'remove_user')
  AND substr(subject, 6) NOT IN (SELECT id FROM users) AND substr(subject, 6) NOT IN (SELECT id FROM teams)
GROUP BY op, subject;
`;
