import { catalogue, entryOf } from '../catalogue/catalogue.ts';
import type { Level } from '../rule.ts';
import type { NotedSection } from '../runner/survey.ts';
import { belongsTo, isAboutClient, type ProfileName } from './profiles.ts';

/** Which rules are played; what is empty or left out narrows nothing. */
export interface Choice {
  readonly profiles?: readonly ProfileName[];
  readonly rules?: readonly string[];
  readonly chapters?: readonly string[];
  readonly levels?: readonly Level[];
  readonly skip?: readonly string[];
  /** With the rules that judge the suite's own client, which are no affair of a server's. */
  readonly withClient?: boolean;
}

/** The ids of the chosen rules that have a check, in the order of the catalogue. */
export function selectedIds(sections: readonly Pick<NotedSection, 'rules'>[], choice: Choice): string[] {
  const { profiles = [], rules = [], chapters = [], levels = [], skip = [] } = choice;
  const checked = new Map(sections.flatMap((section) => section.rules.map((rule) => [rule.id, rule] as const)));
  const among = (list: readonly string[], value: string): boolean => list.length === 0 || list.includes(value);
  return catalogue.flatMap((entry) => {
    const rule = checked.get(entry.id);
    if (!rule || skip.includes(entry.id) || !belongsTo(rule, profiles)) return [];
    const asked = choice.withClient || rules.length > 0 || chapters.includes(entry.chapter);
    if (isAboutClient(entry) && !asked) return [];
    return among(rules, entry.id) && among(chapters, entry.chapter) && among(levels, entry.level) ? [entry.id] : [];
  });
}

/** One line a rule, for people. */
export const listText = (ids: readonly string[]): string =>
  ids.map((id) => `${entryOf(id).level.padEnd(6)} ${id}  ${entryOf(id).statement}`).join('\n');
