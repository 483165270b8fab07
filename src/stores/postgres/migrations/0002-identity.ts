import { TEXT } from './0001-foundation.ts';

/**
 * Who may do what; all of it belongs to the whole store, not to a space (reference tables on a Citus cluster). People need no row in users: some are
 * known by their tokens alone, so tokens and memberships do not refer to it. Of every secret there is only the hash here, but for server_secrets.
 * `change_id` and `consumption` tell a program whose connection broke at the wrong moment whether it was its own change that happened.
 */
export const identity = `
CREATE TABLE users (
  id ${TEXT} PRIMARY KEY,
  name ${TEXT} NOT NULL,
  email ${TEXT} UNIQUE,
  created_at bigint NOT NULL,
  suspended_at bigint
);

CREATE TABLE passwords (
  user_id ${TEXT} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hash ${TEXT} NOT NULL
);

CREATE TABLE teams (
  id ${TEXT} PRIMARY KEY,
  name ${TEXT} NOT NULL UNIQUE,
  owner_id ${TEXT} NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX teams_by_owner ON teams (owner_id);

CREATE TABLE memberships (
  team_id ${TEXT} NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id ${TEXT} NOT NULL,
  role ${TEXT} NOT NULL,
  joined_at bigint NOT NULL,
  PRIMARY KEY (team_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

CREATE TABLE access_tokens (
  id ${TEXT} PRIMARY KEY,
  sha256 ${TEXT} NOT NULL UNIQUE,
  user_id ${TEXT} NOT NULL,
  name ${TEXT} NOT NULL,
  scopes ${TEXT} NOT NULL,
  team_id ${TEXT} REFERENCES teams (id) ON DELETE CASCADE,
  agent ${TEXT},
  created_at bigint NOT NULL,
  last_used_at bigint,
  revoked_at bigint,
  expires_at bigint
);
CREATE INDEX access_tokens_by_user ON access_tokens (user_id);
CREATE INDEX access_tokens_by_team ON access_tokens (team_id) WHERE team_id IS NOT NULL;

CREATE TABLE invites (
  id ${TEXT} PRIMARY KEY,
  sha256 ${TEXT} NOT NULL UNIQUE,
  team_id ${TEXT} NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  role ${TEXT} NOT NULL,
  created_by ${TEXT} NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  consumed_at bigint,
  consumed_by ${TEXT}
);
CREATE INDEX invites_by_team ON invites (team_id);

CREATE TABLE public_links (
  sha256 ${TEXT} PRIMARY KEY,
  space_id ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX public_links_by_space ON public_links (space_id);

CREATE TABLE audit (
  seq bigint PRIMARY KEY,
  at bigint NOT NULL,
  actor ${TEXT} NOT NULL,
  op ${TEXT} NOT NULL,
  subject ${TEXT} NOT NULL,
  team_id ${TEXT},
  change_id uuid NOT NULL
);
CREATE INDEX audit_by_change ON audit (change_id);
CREATE INDEX audit_by_team ON audit (team_id, seq) WHERE team_id IS NOT NULL;

CREATE TABLE server_secrets (
  name ${TEXT} PRIMARY KEY,
  value ${TEXT} NOT NULL
);

CREATE TABLE oauth_artifacts (
  model ${TEXT} NOT NULL,
  id ${TEXT} NOT NULL,
  grant_id ${TEXT},
  user_code ${TEXT},
  uid ${TEXT},
  user_id ${TEXT},
  expires_at bigint,
  consumed_at bigint,
  consumption uuid,
  payload ${TEXT} NOT NULL,
  PRIMARY KEY (model, id)
);
CREATE INDEX oauth_artifacts_by_grant ON oauth_artifacts (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_artifacts_by_user_code ON oauth_artifacts (user_code, model) WHERE user_code IS NOT NULL;
CREATE INDEX oauth_artifacts_by_uid ON oauth_artifacts (uid, model) WHERE uid IS NOT NULL;
CREATE INDEX oauth_artifacts_by_user ON oauth_artifacts (user_id, model) WHERE user_id IS NOT NULL;
CREATE INDEX oauth_artifacts_by_expiry ON oauth_artifacts (expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX receipts_by_age ON receipts (space_id, created_at);
`;
