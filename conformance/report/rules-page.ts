import { beyondTest } from '../catalogue/beyond-test.ts';
import { type CatalogueEntry, catalogue } from '../catalogue/catalogue.ts';
import type { Rule } from '../rule.ts';
import { isAboutClient, profileOf } from '../selection/profiles.ts';
import { coverageOf } from './summary.ts';

/**
 * The text of RULES.md: every documented sentence, by chapter, and what is done with it.
 *
 * @param elsewhere the rules of the judges of other parties, by id, with the judge's command
 */
export function rulesPage(rules: readonly Rule[], elsewhere: ReadonlyMap<string, string>): string {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const { withCheck, elsewhere: others } = coverageOf(new Set(byId.keys()), elsewhere);
  const chapters = [...new Set(catalogue.map(({ chapter }) => chapter))];
  return [
    '# The rules',
    '',
    `Written by \`touchstone rules --markdown\`. ${catalogue.length} documented sentences, ${withCheck} of them with a check of servers, ${others} more with one of another party; \`touchstone explain RULE\` tells more of one.`,
    ...chapters.map((chapter) => chapterText(chapter, byId, elsewhere)),
    '',
  ].join('\n');
}

function chapterText(chapter: string, byId: ReadonlyMap<string, Rule>, elsewhere: ReadonlyMap<string, string>): string {
  const rows = catalogue
    .filter((entry) => entry.chapter === chapter)
    .map((entry) => {
      const rule = byId.get(entry.id);
      const judge = elsewhere.get(entry.id)?.replace(/^touchstone /, '');
      const profile = rule && !isAboutClient(entry) ? profileOf(rule) : (judge ?? otherwise(entry, rule));
      return `| \`${entry.id}\` | ${entry.level} | ${profile} | ${entry.statement} |`;
    });
  return ['', `## ${chapter}`, '', '| rule | level | profile | sentence |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

const otherwise = ({ id }: CatalogueEntry, rule: Rule | undefined): string => {
  if (rule) return 'of clients';
  return beyondTest[id] === undefined ? 'no check' : 'beyond test';
};
