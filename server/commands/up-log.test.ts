import { closeSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { startFailure } from './start-failure.ts';
import { openLog } from './up-log.ts';

let isFull = false;

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const full = { code: 'ENOSPC', syscall: 'write' };
  const writeSync = (...args: Parameters<typeof fs.writeSync>) => {
    if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), full);
    return fs.writeSync(...args);
  };
  return { ...fs, writeSync };
});

const file = join(temporaryFolder(), 'own', 'up.log');

test('each server has a log of its own, that of the last under the name', () => {
  const [first, second] = [openLog(file), openLog(file)];
  writeFileSync(first, 'from the first\n');
  expect(readFileSync(file, 'utf8')).toBe('');
  writeFileSync(second, 'from the second\n');
  expect(readFileSync(file, 'utf8')).toBe('from the second\n');
  closeSync(first);
  closeSync(second);
});

test('where the disk is full, it says so', () => {
  isFull = true;
  let failure = '';
  try {
    openLog(file);
  } catch (error) {
    failure = startFailure(error);
  }
  expect(failure).toBe(`${file} cannot be written (the disk is full)`);
});
