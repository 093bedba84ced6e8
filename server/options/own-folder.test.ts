import { isAbsolute, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ownFolder } from './own-folder.ts';

test.each([
  ['one that is given', '/some/where'],
  ['an empty one', ''],
  ['none', undefined],
])('a home, %s, has a folder that does not depend on where a command is run', (_, home) => {
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(isAbsolute(ownFolder())).toBe(true);
  if (home) expect(ownFolder()).toBe(join(home, '.touchstone'));
});
