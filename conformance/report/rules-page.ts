import { catalogue } from '../catalogue.ts';
import { isAboutClient, profileOf } from '../profiles.ts';
import type { Rule } from '../rule.ts';

/** The text of RULES.md: every documented sentence, by chapter, and what is done with it. */
export function rulesPage(rules: readonly Rule[]): string {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const chapters = [...new Set(catalogue.map(({ chapter }) => chapter))];
  return [
    '# The rules',
    '',
    `Written by \`touchstone rules --markdown\`. ${catalogue.length} documented sentences, ${rules.length} of them with a check; \`touchstone explain RULE\` tells more of one.`,
    ...chapters.map((chapter) => chapterText(chapter, byId)),
    '',
  ].join('\n');
}

function chapterText(chapter: string, byId: ReadonlyMap<string, Rule>): string {
  const rows = catalogue
    .filter((entry) => entry.chapter === chapter)
    .map((entry) => {
      const rule = byId.get(entry.id);
      const checked = isAboutClient(entry) ? 'of clients' : 'no check';
      return `| \`${entry.id}\` | ${entry.level} | ${rule && !isAboutClient(entry) ? profileOf(rule) : checked} | ${entry.statement} |`;
    });
  return ['', `## ${chapter}`, '', '| rule | level | profile | sentence |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}
