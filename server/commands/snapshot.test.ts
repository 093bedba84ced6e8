import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { openDataFolder } from '../store/data-folder/data-folder.ts';
import { readSnapshot } from '../store/snapshot.ts';
import { object } from '../store/store.fixture.ts';
import { snapshot } from './snapshot.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  const store = await openDataFolder({ folder: at('full'), sync: 'always' });
  for (const name of ['a', 'é', 'big'])
    await store.create(`k/${name}`, object(name, name === 'big' ? 2n ** 60n : name));
  await store.close();
});

/** What the command answers, and what it says. */
async function run(...args: string[]): Promise<[code: number, said: string]> {
  const said: string[] = [];
  const note = (text: unknown) => {
    said.push(String(text));
    return true;
  };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation(note);
  const err = vi.spyOn(process.stderr, 'write').mockImplementation(note);
  try {
    return [await snapshot(args), said.join('')];
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

describe('touchstone snapshot', () => {
  it('moves what a folder keeps into another, by a file that people can read', async () => {
    const file = at('file');
    expect(await run('save', file, `--data-dir=${at('full')}`)).toEqual([0, `${file}: 3 objects at revision 4\n`]);
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines[0]).toBe('{"touchstone":"snapshot","version":1,"revision":4}');
    expect(lines).toContain(
      '{"key":"k/big","revision":4,"object":{"kind":"Thing","apiVersion":"example.com/v1","metadata":{"name":"big","resourceVersion":"4"},"data":1152921504606846976}}',
    );
    expect(await run('load', file, '--data-dir', at('other'))).toEqual([0, `3 objects were loaded from ${file}\n`]);
    expect(await run('save', at('again'), `--data-dir=${at('other')}`)).toEqual([
      0,
      `${at('again')}: 3 objects at revision 4\n`,
    ]);
    expect(readFileSync(at('again'), 'utf8')).toBe(readFileSync(file, 'utf8'));
    expect(await run('load', file, '--data-dir', at('other'))).toEqual([
      1,
      `touchstone snapshot: ${at('other')} holds objects already\n`,
    ]);
  });

  it.each([
    [['sav', 'x'], 'say what to do'],
    [['save', '--data-dir=x'], 'say what to do: touchstone snapshot save FILE, or load FILE\n'],
    [['save', 'x'], 'say where objects are kept'],
    [['save', 'x', '--nonsense'], 'unknown flag --nonsense'],
    [['save', 'x', '--data-dir=/no/such/folder'], '--data-dir: there is no /no/such/folder'],
  ])('says what is wrong with %j', async (args, message) => {
    const [code, said] = await run(...args);
    expect(code).toBe(2);
    expect(said).toContain(message);
  });

  it('makes nothing of a folder in which nothing is kept', async () => {
    mkdirSync(at('mistaken'));
    const [code, said] = await run('save', at('none'), `--data-dir=${at('mistaken')}`);
    expect([code, said]).toEqual([2, `touchstone snapshot: --data-dir: nothing is kept in ${at('mistaken')}\n`]);
    expect(readdirSync(at('mistaken'))).toEqual([]);
  });

  it('says of a file that was packed that it was', () => {
    writeFileSync(at('packed'), gzipSync('x'));
    expect(() => readSnapshot(at('packed'))).toThrow(`${at('packed')} is packed by gzip: unpack it first`);
  });

  const head = '{"touchstone":"snapshot","version":1,"revision":7}';
  const line = '{"key":"a","revision":7,"object":{"kind":"T","apiVersion":"v1","metadata":{}}}';
  it.each([
    ['', 'line 1: this is no snapshot'],
    ['{"touchstone":"snapshot","version":2,"revision":7}', 'line 1: version 2 is not known'],
    ['{"touchstone":"snapshot","version":1}', 'line 1: the revision is missing'],
    [head, 'the end is missing'],
    [`${head}\n${line}`, 'the end is missing'],
    [`${head}\n${line}\n{"end":2}`, 'line 3: this is no object'],
    [`${head}\n${line.replace('7', '8')}\n{"end":1}`, 'line 2: this is no object'],
    [`${head}\n${line.replace('"T"', '7')}\n{"end":1}`, 'line 2: this is no object'],
    [`${head}\n${line.slice(0, 30)}\n{"end":1}`, 'line 2: this is no object'],
    [`${head}\n${line}\n${line}\n{"end":2}`, 'line 3: the key "a" is there twice'],
  ])('refuses a file that is %j', (text, message) => {
    writeFileSync(at('wrong'), text);
    expect(() => readSnapshot(at('wrong'))).toThrow(message);
  });
});
