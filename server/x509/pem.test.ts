import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { worked } from '../../fixtures/worked.fixture.ts';
import { pemBlocks } from './pem.ts';

const read = (text: string) =>
  [...pemBlocks(Buffer.from(text))].map(({ label, bytes }) => `${label}:${bytes.toString()}`);
const block = (label: string, text: string) =>
  `-----BEGIN ${label}-----\n${Buffer.from(text).toString('base64')}\n-----END ${label}-----\n`;

describe('PEM text', () => {
  test.each([
    ['one block', block('A', 'a'), ['A:a']],
    ['text around blocks', `x\n${block('A', 'a')}y\n${block('B', 'b')}z`, ['A:a', 'B:b']],
    ['lines that end in CRLF', block('A', 'a').replaceAll('\n', '\r\n'), ['A:a']],
    ['a block in many lines with blanks', '-----BEGIN A-----\n Y\tW\nI =\n-----END A----- \n', ['A:ab']],
    ['headers', '-----BEGIN A-----\nX: y\n\nYQ==\n-----END A-----', ['A:a']],
    ['a block cut off', `${block('A', 'a')}-----BEGIN B-----\nYQ==`, ['A:a']],
    ['an end under another label', '-----BEGIN A-----\nYQ==\n-----END B-----\n', []],
    ['no base64', '-----BEGIN A-----\n!\n-----END A-----\n', []],
    ['a beginning within a block', `-----BEGIN B-----\nYQ==\n${block('A', 'a')}`, ['A:a']],
    ['a beginning within a line', `x${block('A', 'a')}`, []],
    ['an empty block', '-----BEGIN A-----\n-----END A-----\n', ['A:']],
  ])('with %s', (_, text, blocks) => {
    expect(read(text)).toEqual(blocks);
  });

  test('never fails, whatever it is', () => {
    const piece = fc.constantFrom('-----BEGIN A-----', '-----END A-----', '-----', '\n', 'YQ==', ' ', 'x: y', '\r');
    fc.assert(fc.property(fc.array(piece), (pieces) => read(pieces.join('')).length <= pieces.length));
  });

  test('that is hostile is read in linear time', () => {
    const start = worked();
    for (const part of ['-----BEGIN A-----\n', '-----BEGIN ', '-----', '----- ', 'a:\n', 'Y'])
      read(`-----BEGIN A-----\n${part.repeat(300_000)}`);
    expect(worked() - start).toBeLessThan(3000);
  });
});
