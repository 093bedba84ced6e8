import { expect, test } from 'vitest';
import { type CompareOptions, compare } from './compare-servers.ts';

const judged = { url: 'https://127.0.0.1:1' };

test.each([
  [{ judged, othr: judged }, 'there is no option "othr" (did you mean other?)'],
  [{ other: judged }, 'judged needs a url, such as https://127.0.0.1:6443'],
  [{ judged, other: { server: judged.url } }, 'other needs a url, such as https://127.0.0.1:6443'],
])('no other servers are compared than those that are meant: %j', async (options, message) => {
  await expect(compare(options as CompareOptions)).rejects.toMatchObject({ name: 'TypeError', message });
});
