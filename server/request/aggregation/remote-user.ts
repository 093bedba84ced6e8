import type { User } from '../../base/user.ts';

/** Marks that may stand in the name of a header as they are (RFC 9110, 5.6.2), beside letters and digits. */
const unsafe = /[^\w!#$&'*+.^`|~-]/gu;

const escaped = (key: string): string =>
  key.replaceAll(unsafe, (letter) =>
    [...Buffer.from(letter)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

/** The bytes of UTF-8, as headers are written. */
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

/** For whom a request is made, in the headers by which servers behind a proxy are told. */
export const remoteUser = ({ name, groups, extra }: Pick<User, 'name' | 'groups' | 'extra'>) => ({
  'x-remote-user': bytes(name),
  'x-remote-group': groups.map(bytes),
  ...Object.fromEntries(
    Object.entries(extra).map(([key, values]) => [`x-remote-extra-${escaped(key)}`, values.map(bytes)]),
  ),
});
