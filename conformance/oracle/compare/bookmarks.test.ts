import { expect, it } from 'vitest';
import { withSharedBookmarks } from './bookmarks.ts';
import type { Normal } from './normal.ts';

const stream = (more: object = {}): Normal => ({
  status: 200,
  headers: {},
  body: { events: [], ended: true, ...more },
});
const object = { kind: 'Secret', metadata: { resourceVersion: '<version>', creationTimestamp: null } };

it('keeps the bookmarks of two streams that both have some', () => {
  const both = withSharedBookmarks(stream({ bookmark: object }), stream({ bookmark: { kind: 'Secret' } }));
  expect(both.map(({ body }) => body.bookmark)).toEqual([object, { kind: 'Secret' }]);
});

it('leaves out a bookmark that only one of them sent', () => {
  for (const both of [
    [{ bookmark: object }, {}],
    [{}, { bookmark: object }],
  ].map(([one, other]) => withSharedBookmarks(stream(one), stream(other))))
    expect(both).toEqual([stream(), stream()]);
});

it('does not ask for the columns of a table, which come with what comes first', () => {
  const [one] = withSharedBookmarks(
    stream({ bookmark: { kind: 'Table', columnDefinitions: [], rows: [] } }),
    stream({ bookmark: { kind: 'Table', columnDefinitions: null, rows: [] } }),
  );
  expect(one.body.bookmark).toEqual({ kind: 'Table', rows: [] });
});

it('does not ask for the version in it, wherever that stands', () => {
  const told = (version: string): Normal =>
    stream({
      bookmark: {
        rows: [{ object: { metadata: { resourceVersion: version, creationTimestamp: null } } }],
        wire: { 1: [{ 6: [version], 8: [''] }] },
      },
    });
  const [one, other] = withSharedBookmarks(told('<a>'), told('<b>'));
  expect(one).toEqual(other);
  expect(one.body.bookmark.rows[0].object.metadata).toEqual({ resourceVersion: '<version>', creationTimestamp: null });
  expect(one.body.bookmark.wire).toEqual({ 1: [{ 6: '<version>', 8: [''] }] });
});

it('leaves alone what is no stream', () => {
  const answer = { status: 200, headers: {}, body: { kind: 'ConfigMap', bookmark: 'a' } };
  expect(withSharedBookmarks(answer, answer)).toEqual([answer, answer]);
});
