/** The name of an image: `[host[:port]/]path[:tag][@digest]`. */

const part = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][-a-zA-Z0-9]*[a-zA-Z0-9])';
const host = `${label}(?:\\.${label})*(?::[0-9]+)?`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const form = new RegExp(
  `^(?<name>(?:${host}/)?${part}(?:/${part})*)(?::(?<tag>[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}))?(?:@(?<digest>${digest}))?$`,
);

const longestName = 255;
const bareIdentifier = /^[0-9a-f]{64}$/;

/** Only what has a dot, a port or the name `localhost` in front is a host. */
function hasPlainPath(name: string): boolean {
  const [first = '', ...rest] = name.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return isHost || first === first.toLowerCase();
}

/** With the host and folder that a short name stands for. */
function fullName(name: string): string {
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return `docker.io/library/${name}`;
  return /[.:]/.test(first) || first === 'localhost' ? name : `docker.io/${name}`;
}

/** The tag; `latest` where neither that nor a digest is given, and undefined for what is no name of an image. */
export function imageTag(image: string): string | undefined {
  const { name = '', tag, digest: given } = form.exec(image)?.groups ?? {};
  if (name === '' || fullName(name).length > longestName) return undefined;
  if (bareIdentifier.test(image) || !hasPlainPath(name)) return undefined;
  return tag ?? (given === undefined ? 'latest' : undefined);
}
