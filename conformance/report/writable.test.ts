import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { main as compare } from '../oracle/main.ts';
import { mustBeWritable } from './writable.ts';
import { makeOut } from './write.ts';

it('is told before any work where what it finds cannot be written', async () => {
  const folder = temporaryFolder(onTestFinished);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => makeOut(file)).toThrow(`--out: ${file} is no folder`);
  expect(() => makeOut(join(folder, 'new'))).not.toThrow();
  expect(() => mustBeWritable('--json', folder)).toThrow(`--json: ${folder} is no file`);
  for (const path of [file, join(folder, 'other')]) expect(() => mustBeWritable('--json', path)).not.toThrow();
  for (const flag of ['--json', '--save'])
    expect(await compare(['--server', 'http://127.0.0.1:1', flag, join(folder, 'none', 'file')])).toBe(2);
  expect(() => mustBeWritable('--json', join(folder, 'none', 'file'))).toThrow(
    `cannot be written (there is no folder ${join(folder, 'none')})`,
  );
});
