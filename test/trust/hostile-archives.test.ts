// Section 3.6 of the threat model: archives and folders that were made to harm are refused, and nothing is changed by them.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { constants, crc32, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { backupName, factsPath, findBackup, listBackups } from '../../src/features/backups/backup-folder.ts';
import { createBackup } from '../../src/features/backups/create-backup.ts';
import { verifyBackup } from '../../src/features/backups/verify-backup.ts';
import { loadConfig } from '../../src/features/config.ts';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import type { EngineError } from '../../src/model/errors.ts';
import { THIS_MACHINE } from '../../src/server/this-machine.ts';
import { makeCaller, makeFolder, openTestEngine } from '../open-test-engine.ts';
import { clientOf } from '../verb-client.ts';
import { each, openPlace, program, sha256 } from '../workspaces/open-place.ts';

const reader = createDocumentReader();
after(() => reader.close());

interface Part {
  name: string | Buffer;
  content: Buffer;
  /** What the directory says in place of the truth. */
  lies?: Partial<Record<'crc' | 'size' | 'plainSize' | 'flags' | 'offset', number>> & { localName?: Buffer };
  /** Of the file system that it says it comes from. */
  mode?: number;
}

function zip(parts: readonly Part[], claimed = parts.length): Buffer {
  const [locals, entries]: Buffer[][] = [[], []];
  let offset = 0;
  for (const { name: given, content, lies = {}, mode = 0 } of parts) {
    const [name, packed] = [Buffer.from(given as string), deflateRawSync(content)];
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(lies.flags ?? 0, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(lies.crc ?? crc32(content), 10);
    facts.writeUInt32LE(lies.size ?? packed.length, 14);
    facts.writeUInt32LE(lies.plainSize ?? content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const inside = lies.localName ?? name;
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, inside, packed]);
    local.writeUInt16LE(inside.length, 26);
    const more = Buffer.alloc(14);
    more.writeUInt32LE((mode << 16) >>> 0, 6);
    more.writeUInt32LE(lies.offset ?? offset, 10);
    entries!.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), facts, more, name]));
    locals!.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries!);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(claimed, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals!, directory, end]);
}

const TEXT = Buffer.from('<w:document><w:body><w:p><w:r><w:t>Sound words</w:t></w:r></w:p></w:body></w:document>');
const sound: Part = { name: 'word/document.xml', content: TEXT };
const beside = (name: string | Buffer, more: Partial<Part> = {}): Part[] => [
  sound,
  { name, content: Buffer.from('x'), ...more },
];

const ARCHIVES: Record<string, [bytes: Buffer, reason: string]> = {
  'a name twice': [zip([sound, sound]), 'unsafe_archive'],
  'names that differ in case': [zip(beside('WORD/Document.xml')), 'unsafe_archive'],
  'names that differ in form': [
    zip([sound, ...beside('word/é.xml').slice(1), ...beside('word/e\u0301.xml').slice(1)]),
    'unsafe_archive',
  ],
  'an absolute name': [zip(beside('/etc/cron.d/x')), 'unsafe_archive'],
  'a name that climbs': [zip(beside('word/../../../x')), 'unsafe_archive'],
  'a name that climbs with backslashes': [zip(beside('word\\..\\..\\x')), 'unsafe_archive'],
  'a drive letter': [zip(beside('C:\\Windows\\x')), 'unsafe_archive'],
  'a share': [zip(beside('\\\\server\\share')), 'unsafe_archive'],
  'a zero byte in a name': [zip(beside('word/a\0.xml')), 'unsafe_archive'],
  'a name that is not Unicode': [zip(beside(Buffer.from([0x77, 0xff, 0xfe]))), 'unsafe_archive'],
  'an endless name': [zip(beside('a/'.repeat(5000))), 'unsafe_archive'],
  'an empty name': [zip(beside('')), 'unsafe_archive'],
  'a symbolic link': [zip(beside('word/link', { mode: 0o120777 })), 'unsafe_archive'],
  'a device': [zip(beside('word/zero', { mode: 0o020666 })), 'unsafe_archive'],
  'a pipe': [zip(beside('word/pipe', { mode: 0o010666 })), 'unsafe_archive'],
  'two names for one part': [
    zip([{ ...sound, lies: { localName: Buffer.from('word/other---.xml') } }]),
    'unsafe_archive',
  ],
  'two parts in one place': [
    zip([
      { name: 'a', content: TEXT },
      { ...sound, lies: { offset: 0 } },
    ]),
    'unsafe_archive',
  ],
  'a password': [zip([{ ...sound, lies: { flags: 1 } }]), 'encrypted'],
  'a size that is too small': [zip([{ ...sound, lies: { plainSize: 10 } }]), 'damaged'],
  'a size that is too large': [zip([{ ...sound, lies: { plainSize: 1 << 30 } }]), 'damaged'],
  'more packed bytes than there are': [zip([{ ...sound, lies: { size: 1 << 30 } }]), 'damaged'],
  'a wrong checksum': [zip([{ ...sound, lies: { crc: 1 } }]), 'damaged'],
  'more parts than it has': [zip([sound], 9000), 'damaged'],
  'more parts than anybody needs': [zip([sound], 20_000), 'unpacks_too_large'],
  'a place outside of it': [zip([{ ...sound, lies: { offset: 1 << 30 } }]), 'damaged'],
  'a bomb': [zip([{ ...sound, content: Buffer.alloc(40 << 20, 'a') }]), 'unpacks_too_large'],
  'an archive cut in half': [zip([sound]).subarray(0, 60), 'damaged'],
  'nothing but an end': [zip([]), 'damaged'],
};

test('documents whose archive lies, climbs, links or grows are refused, each with its reason', async () => {
  const read = (name: string, bytes: Buffer) => reader.read({ name, bytes });
  assert.match((await read('sound.docx', zip([sound]))).sections[0]!.text, /Sound words/);
  for (const [what, [bytes, reason]] of Object.entries(ARCHIVES))
    for (const kind of ['docx', 'odt', 'pptx', 'xlsx'] as const) {
      if (kind !== 'docx' && reason !== 'unsafe_archive') continue;
      const refused = await read(`x.${kind}`, bytes).then(
        () => null,
        (error: EngineError) => error,
      );
      if (kind !== 'docx' && /two (?:names|parts)/.test(what)) assert.notEqual(refused, null, what);
      else assert.equal(refused?.details.reason, reason, `${what}, ${kind}: ${refused?.message}`);
    }
  const nested = zip([{ ...sound, content: zip([{ ...sound, content: Buffer.alloc(10 << 20) }]) }]);
  const inner = await read('nested.docx', nested).then(
    ({ sections }) => sections,
    (error: EngineError) => error.code,
  );
  assert.ok(inner === 'invalid_input' || inner.length === 0, 'an archive in an archive is not unpacked');
});

test('transcripts that grow without end, lie or are named to escape are refused, and nothing is kept', async (t) => {
  const { engine, store } = await openTestEngine(t);
  const { workspace, ref } = await openPlace(engine);
  const client = clientOf(engine);
  const packed = (bytes: Buffer | string) => gzipSync(bytes).toString('base64');
  const upload = (contentGzipBase64: string, session = 's') =>
    client.uploadTranscript({ ...ref, session, contentGzipBase64 });
  await assert.rejects(upload(packed(Buffer.alloc(200 << 20))), { code: 'too_large' });
  const inner = gzipSync(Buffer.alloc(64 << 20));
  assert.equal((await upload(packed(inner), 'nested')).bytes, inner.length, 'what is inside is not unpacked');
  await assert.rejects(upload('bm90IGd6aXA='), { code: 'invalid_input' });
  await assert.rejects(upload(gzipSync('a line\n'.repeat(1000)).subarray(0, 30).toString('base64')), {
    code: 'invalid_input',
  });
  for (const session of [
    '../x',
    '/etc/passwd',
    'a/b',
    'a\\b',
    '.hidden',
    'a\0b',
    'C:\\x',
    'x'.repeat(5000),
    '',
    'a..b',
    '\ud800',
  ])
    await assert.rejects(upload(packed('{}\n'), session), { code: 'invalid_input' }, session.slice(0, 20));
  const greedy = zstdCompressSync(Buffer.from('{}\n'), {
    params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 },
  });
  const lines = (data: Buffer) =>
    each([
      JSON.stringify({ write_token: ref.writeToken }),
      JSON.stringify({ sha256: sha256('{}\n'), data: data.toString('base64') }),
    ]);
  await engine.uploadChunks(program, { workspace, lines: lines(zstdCompressSync(Buffer.from('{}\n'))) });
  await assert.rejects(engine.uploadChunks(program, { workspace, lines: lines(withWindow(greedy)) }), {
    code: 'invalid_input',
  });
  assert.equal((await engine.listTranscripts(program, { workspace })).total, 1);
  const kept = (await store.chunks.list('owner', '', 100)).map(({ sha256: name }) => name);
  assert.deepEqual(kept.toSorted(), [sha256('{}\n'), sha256(inner)].toSorted());
});

/** A frame that claims to need a window of 128 MB, whatever the compressor made of it. */
function withWindow(frame: Buffer): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (27 - 10) << 3]);
  const isSingle = (frame[4]! & 0x20) !== 0;
  const sizes = [isSingle ? 1 : 0, 2, 4, 8][frame[4]! >> 6]!;
  return Buffer.concat([header, frame.subarray(5 + (isSingle ? 0 : 1) + sizes)]);
}

test('backups that are bombs, something else or no files are refused, and leave nothing behind', async (t) => {
  const folder = makeFolder();
  const { engine, path } = await openTestEngine(t);
  await engine.storeMemory(makeCaller('cli'), { content: 'kept' });
  const config = loadConfig({ env: { LTM_DB: path, HOME: folder }, file: join(folder, 'none.json') });
  const { backup } = await createBackup(THIS_MACHINE, config, { folder, keepDays: null });
  const verify = (file: string) =>
    verifyBackup(THIS_MACHINE, config, { backup: findBackup(file), onProgress: () => {} });
  (await verify(backup.path)).close();
  const forge = (name: string, bytes: Buffer, more: object = {}): string => {
    const file = join(folder, backupName(new Date(Date.UTC(2026, 1, readdirSync(folder).length)), 'zst'));
    writeFileSync(file, bytes);
    writeFileSync(
      factsPath(file),
      JSON.stringify({ ...backup, path: undefined, bytes: bytes.length, sha256: sha256(bytes), ...more }),
    );
    return name === '' ? '' : file;
  };
  const bomb = forge('bomb', zstdCompressSync(Buffer.alloc(300 << 20)));
  const noDatabase = Buffer.from('this is no database'.repeat(1000));
  const forged = [
    bomb,
    forge('short', zstdCompressSync(Buffer.from('short'))),
    forge('not compressed', Buffer.from('not compressed at all')),
    forge('no database', zstdCompressSync(noDatabase), { plainBytes: noDatabase.length }),
    forge('no size', zstdCompressSync(noDatabase), { plainBytes: 'many' }),
  ];
  const before = readdirSync(folder).toSorted();
  for (const file of forged)
    await assert.rejects(verify(file), (error: EngineError) => /^storage_/.test(error.code), file);
  assert.deepEqual(readdirSync(folder).toSorted(), before);
  const target = join(folder, 'elsewhere');
  writeFileSync(target, 'x');
  const linked = join(folder, backupName(new Date(Date.UTC(2026, 5, 1)), 'zst'));
  symlinkSync(target, linked);
  writeFileSync(factsPath(linked), JSON.stringify(backup));
  const folderLike = join(folder, backupName(new Date(Date.UTC(2026, 5, 2)), 'zst'));
  mkdirSync(folderLike);
  writeFileSync(factsPath(folderLike), JSON.stringify(backup));
  const listed = listBackups(folder).map(({ path: one }) => one);
  assert.ok(!listed.includes(linked) && !listed.includes(folderLike));
});
