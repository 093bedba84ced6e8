import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { makeAuthority } from '../certificates/authority.ts';
import { authorityOfFiles } from './authority-files.ts';

const folder = temporaryFolder();
const [certificateFile, keyFile] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
const make = () => makeAuthority('cluster', Date.now(), 86_400_000);

test('a renewed authority signs once both of its files are there', async () => {
  const [old, renewed] = [await make(), await make()];
  writeFileSync(certificateFile, old.certificate);
  writeFileSync(keyFile, old.key);
  const authority = authorityOfFiles(certificateFile, keyFile);
  writeFileSync(certificateFile, renewed.certificate);
  expect(authority()).toEqual(old);
  writeFileSync(keyFile, renewed.key);
  expect(authority()).toEqual(renewed);
});

test('files that do not belong together are refused at first', async () => {
  writeFileSync(keyFile, (await make()).key);
  expect(() => authorityOfFiles(certificateFile, keyFile)).toThrow('is not that of the certificate');
});
