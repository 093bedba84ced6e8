import type { RuleContext } from '../../verbs/context.ts';

/** Where a client begins, and what it finds there. */
const roots: Readonly<Record<string, string>> = {
  '/api': 'APIVersions',
  '/apis': 'APIGroupList',
  '/apis/apps': 'APIGroup',
  '/api/v1': 'APIResourceList',
  '/apis/apps/v1': 'APIResourceList',
};

/** All of them are texts. */
const told = [
  'major',
  'minor',
  'gitVersion',
  'gitCommit',
  'gitTreeState',
  'buildDate',
  'goVersion',
  'compiler',
  'platform',
];

/** What tells of the server itself is JSON as well, with a slash behind its path or without. */
export async function rootsAreJson({ send, expect }: RuleContext): Promise<void> {
  for (const [path, kind] of Object.entries(roots))
    for (const each of [path, `${path}/`]) {
      const { status, headers, body } = await send('GET', each);
      expect(status, each).toBe(200);
      expect(headers['content-type'], each).toMatch(/^application\/json/);
      expect(body?.kind, each).toBe(kind);
    }
  const { headers, body } = await send('GET', '/version');
  expect(headers['content-type'], '/version').toMatch(/^application\/json/);
  for (const name of told) expect(body?.[name], `${name} of the version`).toBeTypeOf('string');
}
