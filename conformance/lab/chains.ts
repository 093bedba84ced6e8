import { type Authority, authorityOf, type KeyPair, makeAuthority, makePair, type Wish } from './certificates.ts';

/** What leads from an authority that counts to a client: authorities, the one next to the client last. */
type Way = (root: Authority, client: KeyPair) => Promise<readonly Authority[]>;

const between = 'touchstone-between';

const ways = {
  'none between': async () => [],
  'one between that is for clients': async (root) => [await makeAuthority(between, root, { usage: 'client' })],
  'one between that is for servers': async (root) => [await makeAuthority(between, root, { usage: 'server' })],
  'one between': async (root) => [await makeAuthority(between, root)],
  'two between': async (root) => {
    const first = await makeAuthority(`${between}-1`, root, { below: 1 });
    return [first, await makeAuthority(`${between}-2`, first, { below: 0 })];
  },
  'a client between': async (_, client) => [await authorityOf(client)],
  'one between that is no authority': async (root) => [await makeAuthority(between, root, { isNone: true })],
  'one too many between': async (root) => {
    const first = await makeAuthority(`${between}-1`, root, { below: 0 });
    return [first, await makeAuthority(`${between}-2`, first)];
  },
  'one between that has run out': async (root) => [await makeAuthority(between, root, { fromDay: -10, untilDay: -1 })],
  'one between that is not shown': async (root) => [await makeAuthority(between, root)],
} as const satisfies Record<string, Way>;

export type ChainName = keyof typeof ways;

/** A certificate for a client at the end of a way from `root`, and in its file those of the way, but for the root's. */
export async function makeChained(
  chain: ChainName,
  name: string,
  root: Authority,
  client: KeyPair,
  usage: Wish['usage'] = 'client',
): Promise<KeyPair> {
  const way = await ways[chain](root, client);
  const wish: Wish = { name: `CN=${name}`, usage };
  const { certificate, key } = await makePair(wish, way.at(-1) ?? root);
  const shown = chain === 'one between that is not shown' ? [] : way.toReversed();
  return { certificate: [certificate, ...shown.map((each) => each.certificate)].join(''), key };
}
