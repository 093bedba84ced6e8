import { describe, expect, it } from 'vitest';
import { readHead } from './unknown-method.ts';

const read = (text: string) => readHead(Buffer.from(text, 'latin1'));

describe('the head of a request', () => {
  it('has a method, a path and headers, as they were sent', () => {
    expect(read('FOO /a?b=c HTTP/1.1\r\nHost: x\r\nAuthorization:Bearer  t \r\n\r\nbody')).toEqual({
      method: 'FOO',
      url: '/a?b=c',
      headers: ['Host', 'x', 'Authorization', 'Bearer  t'],
    });
  });

  it.each([
    ['no version', 'FOO /a\r\nHost: x\r\n\r\n'],
    ['another version', 'FOO /a HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['no end', 'FOO /a HTTP/1.1\r\nHost: x\r\n'],
    ['a method of odd characters', 'F(O /a HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a long method', `${'F'.repeat(101)} /a HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a header without a name', 'FOO /a HTTP/1.1\r\n: x\r\n\r\n'],
    ['a line that is no header', 'FOO /a HTTP/1.1\r\nnothing\r\n\r\n'],
    ['nothing', ''],
  ])('is none with %s', (_, text) => expect(read(text)).toBeUndefined());
});
