import { expect } from '../expect.ts';
import { Skipped } from '../verbs/breach.ts';
import { documented, implied, type Party } from './party.ts';

interface Toy {
  readonly word: string;
  readonly done: string[];
}

/** A party that is judged by one word. */
export const toyParty: Party<string, Toy> = {
  name: 'toy',
  about: 'Judges a word.',
  examples: ['word', '--loud word'],
  operands: 'WORD',
  flags: [{ name: 'loud', help: 'louder' }],
  rules: [
    documented('watch.start.list-first', {
      fault: 'short',
      check: async ({ word }) => expect(word.length, 'letters').toBeGreaterThan(3),
    }),
    implied(
      'toy.vowel',
      { statement: 'A word has a vowel.', level: 'should', from: ['rv.opaque'] },
      { fault: ['vwllss', 'short'], check: async ({ word }) => expect(word).toMatch(/[aeiou]/) },
    ),
    implied(
      'toy.capital',
      { statement: 'A name is written large.', from: ['rv.opaque'] },
      {
        fault: 'Short',
        async check({ word }) {
          if (word === word.toLowerCase()) throw new Skipped('it is no name');
          expect(word).toBe(word.toUpperCase());
        },
      },
    ),
  ],
  candidate: (_, [word = '']) => word,
  called: (word) => word,
  // Its good one lacks a vowel in small letters, so that a rule that fails on it is there, too.
  specimen: async (fault) => ({ candidate: fault?.slice(0, 2) ?? 'HEALTHY', stop: async () => undefined }),
  dead: ['.'],
  open: async (word, { exchanges, release }) => {
    const done: string[] = [];
    exchanges.push({
      method: 'GET',
      url: 'http://h/word',
      requestHeaders: { authorization: 'Bearer secret' },
      status: 200,
      answerHeaders: {},
      answerBody: word,
      milliseconds: 1,
    });
    release(() => done.push(word));
    return { word, done };
  },
};
