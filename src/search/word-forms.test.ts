import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, openTestSpace } from '../../test/open-test-space.ts';

test('finds words of other languages in their other forms, and says so', async (context) => {
  const space = await openTestSpace(context);
  await space.put('Резервные копии хранятся в другом городе.');
  await space.put('Сервер перезапускается каждую ночь.');
  await space.put('El servidor guarda las copias en otra ciudad.');
  await space.put('تحفظ النسخ في المدينة الأخرى.');
  const { find, search } = space.open();
  assert.match((await find('города'))[0] ?? '', /городе/);
  assert.match((await find('¿en qué ciudades están?'))[0] ?? '', /ciudad/);
  assert.match((await find('مدينة'))[0] ?? '', /المدينة/);
  const matchedBy = async (query: string) => (await search(makeCaller(), { query })).hits[0]?.why.matched;
  assert.deepEqual(await matchedBy('города'), ['words', 'form']);
  assert.deepEqual(await matchedBy('городе'), ['words']);
});

test('finds forms that begin with the whole word where thousands of words begin alike', async (context) => {
  const space = await openTestSpace(context);
  const letters = [...'абвгдежзиклмнопрст'];
  for (const first of letters) {
    const words = letters.flatMap((second) => letters.map((third) => `пере${first}${second}${third}`));
    await space.put(words.join(' '));
  }
  for (const place of ['офис', 'склад']) await space.put(`передо мной ${place}`);
  const { find } = space.open();
  const found = await find('перед');
  for (const place of ['офис', 'склад'])
    assert.ok(found.includes(`передо мной ${place}`), found.join('\n').slice(0, 500));
});
