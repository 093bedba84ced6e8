import { expect, it, onTestFinished } from 'vitest';
import { filesIn, temporaryFolder } from '../fixtures/temporary-folder.fixture.ts';
import { readKeyPair } from './certificate-files.ts';
import { selfSigned } from './self-signed.ts';

it('files without a certificate and its own key are refused, and named', async () => {
  const [folder, one, two] = [temporaryFolder(onTestFinished), await selfSigned(['a']), await selfSigned(['b'])];
  const file = filesIn(folder);
  const [certFile, keyFile] = [file('tls.crt', one.cert), file('tls.key', one.key)];
  const [empty, other] = [file('empty', ''), file('other.key', two.key)];
  expect(readKeyPair({ certFile, keyFile })).toEqual(one);
  expect(() => readKeyPair({ certFile: empty, keyFile })).toThrow(`${empty}: no certificate found`);
  expect(() => readKeyPair({ certFile, keyFile: empty })).toThrow(`${empty}: no key found`);
  expect(() => readKeyPair({ certFile, keyFile: other })).toThrow(`${other} is not the key of ${certFile}`);
});
