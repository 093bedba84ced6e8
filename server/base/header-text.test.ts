import { expect, it } from 'vitest';
import { extraKey, headerText } from './header-text.ts';

it('reads header bytes as UTF-8', () => {
  expect(headerText('plain')).toBe('plain');
  expect(headerText(Buffer.from('zoë ✓').toString('latin1'))).toBe('zoë ✓');
});

it.each([
  ['Scopes', 'scopes'],
  ['acme.com%2FTeam', 'acme.com/team'],
  ['a%20b', 'a b'],
  ['%c3%ab', 'ë'],
  ['bad%zz', 'bad%zz'],
  ['half%20%2', 'half%20%2'],
  ['', ''],
])('%j stands for the key %j', (ending, key) => {
  expect(extraKey(ending)).toBe(key);
});
