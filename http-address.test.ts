import { expect, test } from 'vitest';
import { isHttpAddress } from './http-address.ts';

test.each([
  ['https://127.0.0.1:6443', true],
  ['http://[::1]/base', true],
  ['HTTPS://server.example', true],
  ['server.example', false],
  ['server.example:6443', false],
  ['ftp://server.example', false],
  ['https://', false],
  ['', false],
])('%j is an HTTP address: %s', (text, is) => expect(isHttpAddress(text)).toBe(is));
