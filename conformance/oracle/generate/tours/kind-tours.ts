import type { KindStory } from '../story.ts';
import { applying, managing } from './applying.ts';
import { askedInForms } from './asked-forms.ts';
import { bound } from './bound.ts';
import { collectionDeletion, deletion } from './deletion.ts';
import { directives } from './directives.ts';
import { entriesGivenUp } from './entries.ts';
import { fieldChecks, forms } from './forms.ts';
import { handedOver } from './kubectl.ts';
import { changes, life } from './life.ts';
import { moments, paging, selecting } from './listing.ts';
import { metadata } from './metadata.ts';
import { owners } from './owners.ts';
import { patches } from './patches.ts';
import { emptiedParts, rearranged } from './rearranged.ts';
import { rights } from './rights.ts';
import { spoiltBytes } from './spoilt.ts';
import { oddities, states } from './states.ts';
import { choosing, ending, watching } from './watching.ts';

export interface Tour {
  readonly name: string;
  readonly tell: (at: KindStory) => void;
  /** It opens streams of its own; beside others there is one that tells what they write. */
  readonly streams?: true;
}

/** What is particular to each kind; in this order. */
export const particular: readonly Tour[] = [
  { name: 'oddities', tell: oddities },
  { name: 'changes', tell: changes },
  { name: 'a life', tell: life },
  { name: 'states', tell: states },
];

/**
 * What most kinds have in common: each of them comes once, of one kind or another, before any comes again. Short ones come
 * first, by which a brief run sees something of most; where each stands decides which kind it is told of first, so that
 * what is about doors and entries comes to kinds that have some.
 */
export const general: readonly Tour[] = [
  { name: 'a life', tell: life },
  { name: 'pages', tell: paging },
  { name: 'entries in another order', tell: rearranged },
  { name: 'applied by several', tell: applying },
  { name: 'entries given up', tell: entriesGivenUp },
  { name: 'watches', tell: watching, streams: true },
  { name: 'chosen watches', tell: choosing, streams: true },
  { name: 'bound to versions', tell: bound },
  { name: 'patches', tell: patches },
  { name: 'deletion of collections', tell: collectionDeletion },
  { name: 'kubectl', tell: handedOver },
  { name: 'moments', tell: moments },
  { name: 'directives', tell: directives },
  { name: 'streams that end', tell: ending, streams: true },
  { name: 'emptied parts', tell: emptiedParts },
  { name: 'owners', tell: owners },
  { name: 'changes', tell: changes },
  { name: 'unknown fields', tell: fieldChecks },
  { name: 'forms', tell: forms },
  { name: 'managers', tell: managing },
  { name: 'selections', tell: selecting },
  { name: 'deletion', tell: deletion },
  { name: 'metadata', tell: metadata },
  { name: 'choices in forms', tell: askedInForms, streams: true },
  { name: 'spoilt bytes', tell: spoiltBytes },
  { name: 'rights', tell: rights },
];

/** After how many of these webhooks are asked: nothing else reaches what asks them. */
export const hooksAt = 3;

/** What a second version of a custom type goes through early: its server converts each answer. */
export const converted: ReadonlySet<string> = new Set([
  ...['a life', 'pages', 'chosen watches', 'applied by several', 'unknown fields', 'choices in forms'],
]);
