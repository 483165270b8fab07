// Makes ltm-VERSION.mcpb, the bundle that Claude Desktop and others install with a double click: a zip of the built program (`npm run build`) and its manifest.
// node scripts/build-mcpb.js [FILE]
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

const root = dirname(import.meta.dirname);
if (!existsSync(join(root, 'dist', 'cli.js'))) {
  console.error('Nothing was made: build the program first with `npm run build`.');
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const file = process.argv[2] ?? `ltm-${version}.mcpb`;
const names = ['bin/*.js', 'dist/**/*', 'package.json', 'LICENSE', 'THIRD_PARTY_LICENSES.md'];
const paths = names
  .flatMap((name) => globSync(name, { cwd: root }))
  .filter((path) => statSync(join(root, path)).isFile() && !/^dist.(types|conformance)/.test(path));
const entries = [
  { path: 'manifest.json', bytes: readFileSync(join(root, 'integrations', 'mcpb', 'manifest.json')) },
  ...paths.sort().map((path) => ({ path: path.replaceAll('\\', '/'), bytes: readFileSync(join(root, path)) })),
];
writeFileSync(file, zip(entries));
console.log(`${file}: ${entries.length} files, ${(statSync(file).size / 1024).toFixed(0)} kB`);

/** As APPNOTE.TXT has it; every file is deflated, and dated to the first day of the format, so that the same program makes the same bytes. */
function zip(files) {
  const bodies = [];
  const directory = [];
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path);
    const data = deflateRawSync(bytes, { level: 9 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(((path.startsWith('bin/') ? 0o100755 : 0o100644) << 16) >>> 0, 6);
    more.writeUInt32LE(offset, 10);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, data]);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), fields, more, name);
    bodies.push(body);
    offset += body.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, central, Buffer.from('PK\x05\x06'), end]);
}
