import { fault, slip } from '../fault.ts';
import { misread } from '../meddling.ts';

/** What the parameter dryRun may say. */
export default [
  fault(
    'an empty dryRun among others is none',
    ['dryrun', 'params'],
    misread({ query: { dryRun: true } }, (query) => {
      if (query.getAll('dryRun').length > 1) query.delete('dryRun');
    }),
  ),
  fault(
    'dryRun may be written in small letters',
    ['dryrun'],
    misread({ query: { dryRun: /^all$/i } }, (query) => query.set('dryRun', 'All')),
  ),
  slip(
    'any word passes for a dry run of a write, and is none',
    ['dryrun', 'params'],
    'registry/options.ts',
    "return given.every((value) => value === 'All') ? [] : [notSupported('dryRun', given, ['All'])];",
    'return [];',
  ),
  slip(
    'any word passes for a dry run of a delete',
    ['dryrun', 'params'],
    'registry/options.ts',
    "if (dryRun.some((value) => value !== 'All')) errors.push(notSupported('dryRun', dryRun, ['All']));",
    '',
  ),
  slip(
    'a write with a value of dryRun that is not known is carried out',
    ['dryrun'],
    'registry/options.ts',
    "return given.every((value) => value === 'All') ? [] : [notSupported('dryRun', given, ['All'])];",
    "return given.length < 2 || given.every((value) => value === 'All') ? [] : [notSupported('dryRun', given, ['All'])];",
  ),
  slip(
    'of several values of dryRun the first is looked at',
    ['dryrun'],
    'registry/options.ts',
    "return given.every((value) => value === 'All')",
    "return given.slice(0, 1).every((value) => value === 'All')",
  ),
  slip(
    'a rehearsal that is asked for twice is refused',
    ['dryrun'],
    'registry/options.ts',
    "return given.every((value) => value === 'All') ?",
    "return given.length < 2 && given.every((value) => value === 'All') ?",
  ),
];
