import { expect, it, onTestFinished } from 'vitest';
import { filesIn, temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { outcomes, tour } from './tour.ts';

it('takes what was read back for what it is', () => {
  const told = outcomes([
    'a line of a log',
    '{"crud":["creation","replacement",true]}',
    '{"scale":2}',
    '{"token":"403 Forbidden"}',
    '{"unheard-of":1}',
  ]);
  expect([...told]).toEqual([
    ['crud', ''],
    ['scale', 'expected 3, seen 2'],
    ['token', 'expected "system:serviceaccount:tour:tourist", seen "403 Forbidden"'],
  ]);
});

/** A program that prints this and ends so. */
function program(text: string, code: number): readonly string[] {
  const source = `process.stdout.write(${JSON.stringify(text)}); process.exitCode = ${code};`;
  return [process.execPath, filesIn(temporaryFolder(onTestFinished))('tourist.mjs', source)];
}

it('sends a program on its tour, and knows who does not go', async () => {
  expect(await tour(program('{"scale":3}\n', 0))).toEqual(new Map([['scale', '']]));
  const broken = await tour(program('{"scale":3}\n', 1));
  expect(broken).toEqual(
    new Map([
      ['scale', ''],
      ['its end', 'exit code 1'],
    ]),
  );
  expect(await tour(program('', 64))).toBeUndefined();
});
