import { ATTEMPT_OUTCOMES, CONFIDENCE_LEVELS, type PacketVersion } from './packet.ts';

/** The part of JSON Schema (draft 2020-12) that packets need; `findSchemaFaults` knows exactly these keywords. */
export interface Schema {
  $schema?: string;
  $id?: string;
  title?: string;
  description?: string;
  type?: 'object' | 'array' | 'string' | 'boolean';
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: false;
  items?: Schema;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  enum?: readonly string[];
  const?: string;
  format?: string;
}

const TAG = '^[a-z0-9][a-z0-9-]{0,31}$';
const METHOD_NAME = '^[a-z0-9][a-z0-9-]*$';
const SOURCE_HASH = '^sha256:[0-9a-f]{64}$';
const REQUIRED = ['ltm_version', 'id', 'created_at', 'goal', 'next_step'];

const text = (maxLength: number, description: string): Schema => ({ type: 'string', maxLength, description });
const list = (maxItems: number, items: Schema, description: string): Schema => ({
  type: 'array',
  maxItems,
  items,
  description,
});
const object = (properties: Record<string, Schema>, required: string[], description: string): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  description,
});
const id = (description: string): Schema => ({ type: 'string', minLength: 10, maxLength: 64, description });
const sentence = (description: string): Schema => ({ type: 'string', minLength: 1, maxLength: 1024, description });
const confidence = (description: string): Schema => ({ type: 'string', enum: CONFIDENCE_LEVELS, description });

const project = object(
  {
    name: text(128, 'Name of the project.'),
    ref: text(256, 'Where its source is: a repository, a branch, a commit. No local path.'),
  },
  [],
  'What the work belongs to.',
);

const provenance = object(
  {
    author_model: text(128, 'The model that wrote the packet.'),
    author_human: text(128, 'The person it was written for.'),
    source_hash: {
      type: 'string',
      pattern: SOURCE_HASH,
      description: 'sha256: and the 64 lower-case hex digits of the session it was made from.',
    },
    confidence: confidence('How sure the author is of the packet as a whole.'),
  },
  [],
  'Who wrote it, from what.',
);

function decision(later: Record<string, Schema>): Schema {
  const fields = { what: text(1024, 'The decision.'), why: text(1024, 'Its reason.'), ...later };
  return object(
    { ...fields, locked: { type: 'boolean', description: 'true: settled, not to be reopened.' } },
    ['what', 'why'],
    'A decision that was taken.',
  );
}

function attempt(later: Record<string, Schema>): Schema {
  const fields = {
    tried: text(1024, 'What was tried.'),
    outcome: { type: 'string', enum: ATTEMPT_OUTCOMES, description: 'How it ended.' } as const,
    learned: text(1024, 'What it taught. Without this an attempt is of little use.'),
    ...later,
  };
  return object(fields, ['tried', 'outcome'], 'Something that was tried.');
}

const method = object(
  {
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 128,
      pattern: METHOD_NAME,
      description: 'Short name in lower case, digits and hyphens.',
    },
    when_applicable: text(1024, 'The sign that this recipe fits.'),
    how: text(2048, 'What to do then; a short command line is fine.'),
  },
  ['name', 'when_applicable', 'how'],
  'A recipe that worked and will again.',
);

const shared = {
  id: id('Opaque name of the packet; a ULID is a good one.'),
  created_at: { type: 'string', format: 'date-time', description: 'RFC 3339, such as 2026-01-31T09:30:00Z.' },
  project,
  goal: sentence('What the work is for, in one sentence.'),
  constraints: list(32, text(1024, 'One constraint.'), 'What must hold whatever is done.'),
  open_questions: list(32, text(1024, 'One question.'), 'What is still to be decided.'),
  next_step: sentence('The first action of whoever goes on.'),
  tags: list(
    16,
    { type: 'string', pattern: TAG, description: 'Lower case, digits, hyphens; at most 32.' },
    'Words to find it by.',
  ),
  provenance,
} as const satisfies Record<string, Schema>;

function packetSchema(version: PacketVersion, properties: Record<string, Schema>): Schema {
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `https://ltm-cli.dev/schema/core-memory.v${version}.json`,
  };
  return {
    ...head,
    title: `Core Memory Packet ${version}`,
    ...object(properties, REQUIRED, 'A dossier handed from one session to the next, at most 32768 bytes.'),
  };
}

const versionOne = packetSchema('0.1', {
  ltm_version: { type: 'string', pattern: '^[0-9]+\\.[0-9]+$', description: 'Version of the format.' },
  ...shared,
  decisions: list(64, decision({}), 'What was decided.'),
  attempts: list(64, attempt({}), 'What was tried.'),
});

const versionTwo = packetSchema('0.2', {
  ltm_version: { type: 'string', const: '0.2', description: 'Version of the format.' },
  ...shared,
  parent_id: id('The packet this one continues; only one that its author has read.'),
  success_criteria: list(16, text(1024, 'One criterion.'), 'What can be seen when the goal is reached.'),
  decisions: list(64, decision({ consequences: text(1024, 'What breaks if it is reopened.') }), 'What was decided.'),
  methods: list(32, method, 'Recipes.'),
  attempts: list(64, attempt({ confidence: confidence('How final this outcome is.') }), 'What was tried.'),
});

/** Published by the server as they are here. */
export const PACKET_SCHEMAS: Readonly<Record<PacketVersion, Schema>> = { '0.1': versionOne, '0.2': versionTwo };
