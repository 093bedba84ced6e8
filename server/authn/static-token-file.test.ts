import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { parseCsv } from './csv.ts';
import { digestOf, sameSecret } from './digest.ts';
import { readTokenFile, staticTokenFile } from './static-token-file.ts';

describe('comma-separated values', () => {
  it.each([
    ['', []],
    ['a,b', [['a', 'b']]],
    [
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,\r\n',
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    ['\n\na\n\n', [['a']]],
    ['"a,b",c', [['a,b', 'c']]],
    ['"a ""b""",c', [['a "b"', 'c']]],
    ['"two\nlines",c', [['two\nlines', 'c']]],
    ['a,', [['a', '']]],
    [',', [['', '']]],
    ['""', []],
    [' a , b ', [[' a ', ' b ']]],
  ])('%j', (text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });

  it.each([
    ['"open', 'line 1: a quote is not closed'],
    ['a\nb"c', 'line 2: a quote inside'],
    ['"a"b', 'line 1: text after'],
  ])('refuses %j', (text, reason) => {
    expect(() => parseCsv(text)).toThrow(reason);
  });

  it('reads back whatever was written with quotes', () => {
    const cells = fc.array(
      fc.array(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ') }), { minLength: 2 }),
    );
    const write = (rows: string[][]) =>
      rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
    fc.assert(
      fc.property(cells, (rows) => {
        expect(parseCsv(write(rows))).toEqual(rows);
      }),
    );
  });
});

describe('the token file', () => {
  it('gives name, uid and the groups of one column', () => {
    const users = readTokenFile('t1,bob,1\nt2,carol,2,"devs,ops"\nt3,dan,3,"system:authenticated"\n');
    expect([...users.values()]).toEqual([
      { name: 'bob', uid: '1', groups: ['system:authenticated'], extra: {} },
      { name: 'carol', uid: '2', groups: ['devs', 'ops', 'system:authenticated'], extra: {} },
      { name: 'dan', uid: '3', groups: ['system:authenticated'], extra: {} },
    ]);
  });

  it('needs three columns, lets a later line win, and passes over a line without a token', () => {
    expect(() => readTokenFile('t,bob')).toThrow('entry 1');
    const users = readTokenFile('t,bob,1\nt,eve,2\n"",nobody,3');
    expect([...users.values()].map(({ name }) => name)).toEqual(['eve']);
  });

  it('accepts exactly its tokens, the same user each time, whatever the file says later', async () => {
    const file = join(temporaryFolder(onTestFinished), 'tokens.csv');
    writeFileSync(file, 'secret,bob,1\n');
    const tokens = staticTokenFile(file, ['api']);
    writeFileSync(file, 'other,eve,1\n');
    const accepted = await tokens.authenticateToken('secret', ['api']);
    expect(accepted).toMatchObject({ user: { name: 'bob' }, audiences: ['api'] });
    expect((await tokens.authenticateToken('secret', ['api']))?.user).toBe(accepted?.user);
    for (const token of ['other', 'secre', 'secretx', 'Secret', '', '__proto__']) {
      expect(await tokens.authenticateToken(token, ['api'])).toBeUndefined();
    }
  });

  it('names a file that is none', () => {
    const file = join(temporaryFolder(onTestFinished), 'tokens.csv');
    writeFileSync(file, 'secret,bob,1\nt,bob\n');
    expect(() => staticTokenFile(file, [])).toThrow(`${file}, entry 2: needs token, user name and user uid`);
  });

  it('serves the audiences of the server only', () => {
    const file = join(temporaryFolder(onTestFinished), 'tokens.csv');
    writeFileSync(file, 'secret,bob,1\n');
    const tokens = staticTokenFile(file, ['api', 'api2']);
    expect(tokens.authenticateToken('secret', ['vault', 'api2'])).toMatchObject({ audiences: ['api2'] });
    expect(() => tokens.authenticateToken('secret', ['vault'])).toThrow('audiences');
  });
});

it('compares secrets of any length and looks them up by a digest', () => {
  expect(sameSecret('a', 'a')).toBe(true);
  expect(sameSecret('a', 'ab')).toBe(false);
  expect(sameSecret('', 'a')).toBe(false);
  expect(digestOf('a')).not.toBe(digestOf('b'));
  expect(digestOf('a')).toHaveLength(44);
});
