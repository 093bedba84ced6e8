import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../base/status-error.ts';
import { Query } from './query.ts';

describe('a query', () => {
  it('gives the first value of a parameter, and all of them', () => {
    const query = new Query('a=1&b=x%20y&a=2&c&d=&e=1+2&f==');
    expect(query.get('a')).toBe('1');
    expect(query.all('a')).toEqual(['1', '2']);
    expect(query.get('b')).toBe('x y');
    expect(query.get('c')).toBe('');
    expect(query.text('c')).toBeUndefined();
    expect(query.has('d')).toBe(true);
    expect(query.get('e')).toBe('1 2');
    expect(query.get('f')).toBe('=');
    expect(query.get('g')).toBeUndefined();
  });

  it('drops what is broken and keeps the rest', () => {
    const query = new Query('a=%&%ff=1&=3&b=2&&');
    expect(query.has('a')).toBe(false);
    expect(query.get('b')).toBe('2');
  });

  it('drops what a semicolon stands in, which separates for some and for others does not', () => {
    const query = new Query('watch=1;limit=2&limit=3&a=x%3By');
    expect([query.has('watch'), query.get('limit'), query.get('a')]).toEqual([false, '3', 'x;y']);
  });

  it('knows no parameter that was not sent', () => {
    for (const name of ['__proto__', 'constructor', 'toString']) expect(Query.empty.get(name)).toBeUndefined();
    expect(new Query('__proto__=1').get('__proto__')).toBe('1');
  });

  it.each([
    ['', true],
    ['1', true],
    ['true', true],
    ['no', true],
    ['0', false],
    ['false', false],
    ['FALSE', false],
  ])('takes %j for %s', (value, truth) => {
    expect(new Query(`x=${value}`).flag('x')).toBe(truth);
  });

  it.each([
    ['0', 0],
    ['-5', -5],
    ['+7', 7],
    ['9223372036854775807', 2 ** 63],
    ['007', 7],
  ])('reads %s as a number', (text, number) => {
    expect(new Query(`n=${encodeURIComponent(text)}`).integer('n')).toBe(number);
  });

  it.each(['', 'x', '1.0', '1e3', '0x10', '9223372036854775808', '9'.repeat(5000), ' 1', '-'])(
    'refuses %j as a number',
    (text) => {
      expect(() => new Query(`n=${encodeURIComponent(text)}`).integer('n')).toThrow(StatusError);
    },
  );

  it('gives back whatever was put in', () => {
    const pair = fc.tuple(fc.string({ minLength: 1 }), fc.string());
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const query = new Query(
          pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&'),
        );
        for (const [name] of pairs) {
          expect(query.all(name)).toEqual(pairs.filter(([other]) => other === name).map(([, value]) => value));
        }
      }),
    );
  });
});
