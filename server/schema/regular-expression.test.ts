import { expect, it } from 'vitest';
import { compilePattern } from './regular-expression.ts';

const tooLong = /^the expression is longer than 10000 characters/;

it.each([
  'a'.repeat(10_001),
  'a{1000}'.repeat(11),
  '(abcdefghij){1000}b',
  '((a{10}){10}[\\]x]{1}){10}'.repeat(10),
  '(?:[a-z\\d]{20}\\.){500}',
  '(ab{0,100}){0,100}',
  '\\Q(((\\E'.concat('(ab{100,}){100}'),
])('an expression may be too long to be compiled: %.30s', (source) => {
  expect(() => compilePattern(source)).toThrow(tooLong);
});

it.each([
  'a'.repeat(10_000),
  'a{1000}'.repeat(9),
  '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$',
  '[{1000}(]{1000}',
  '\\(\\{1000\\}\\Q{1000}((\\E'.repeat(100),
  'x{,1000}'.repeat(100),
])('an expression may be as long as any that somebody writes: %.30s', (source) => {
  expect(() => compilePattern(source)).not.toThrow();
});

it.each(['['.repeat(10_000), '\\Q'.repeat(5_000), '('.repeat(10_000), ')', '[[:'.repeat(3_000), '{2}'])(
  'what is no expression is refused by what is wrong with it: %.10s',
  (source) => {
    if (source.startsWith('\\Q')) compilePattern(source);
    else expect(() => compilePattern(source)).not.toThrow(tooLong);
  },
);
