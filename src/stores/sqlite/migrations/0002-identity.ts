/**
 * Who may do what; all of it belongs to the whole store, not to a space. People need no row in users: some are known by their tokens alone,
 * so tokens and memberships do not refer to it. Of every secret there is only the hash here, but for server_secrets, the server's own keys.
 */
export const identity = `
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT UNIQUE,
  created_at INTEGER NOT NULL,
  suspended_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE passwords (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE teams (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  owner_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX teams_by_owner ON teams (owner_id);

CREATE TABLE memberships (
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  role TEXT NOT NULL,
  joined_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memberships_by_user ON memberships (user_id);

ALTER TABLE access_tokens ADD COLUMN team_id TEXT REFERENCES teams (id) ON DELETE CASCADE;
ALTER TABLE access_tokens ADD COLUMN agent TEXT;
CREATE INDEX access_tokens_by_user ON access_tokens (user_id);
CREATE INDEX access_tokens_by_team ON access_tokens (team_id) WHERE team_id IS NOT NULL;

CREATE TABLE invites (
  id TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  consumed_at INTEGER,
  consumed_by TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX invites_by_team ON invites (team_id);

CREATE TABLE public_links (
  sha256 TEXT PRIMARY KEY,
  space_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX public_links_by_space ON public_links (space_id);

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  op TEXT NOT NULL,
  subject TEXT NOT NULL,
  team_id TEXT
) STRICT;
CREATE INDEX audit_by_team ON audit (team_id, seq) WHERE team_id IS NOT NULL;

CREATE TABLE server_secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE oauth_artifacts (
  model TEXT NOT NULL,
  id TEXT NOT NULL,
  grant_id TEXT,
  user_code TEXT,
  uid TEXT,
  user_id TEXT,
  expires_at INTEGER,
  consumed_at INTEGER,
  payload TEXT NOT NULL,
  PRIMARY KEY (model, id)
) STRICT;
CREATE INDEX oauth_artifacts_by_grant ON oauth_artifacts (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_artifacts_by_user_code ON oauth_artifacts (user_code, model) WHERE user_code IS NOT NULL;
CREATE INDEX oauth_artifacts_by_uid ON oauth_artifacts (uid, model) WHERE uid IS NOT NULL;
CREATE INDEX oauth_artifacts_by_user ON oauth_artifacts (user_id, model) WHERE user_id IS NOT NULL;
CREATE INDEX oauth_artifacts_by_expiry ON oauth_artifacts (expires_at) WHERE expires_at IS NOT NULL;

CREATE INDEX receipts_by_age ON receipts (space_id, created_at);
`;
