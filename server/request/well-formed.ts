import { badRequest } from '../base/status-error.ts';
import { plainText } from './respond.ts';
import type { Stage } from './stage.ts';

const brokenEscape = /%(?![0-9a-fA-F]{2})/;

/** Numbers with units, such as `1m30s`; zero needs none. */
const duration = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;

const connecting: readonly string[] = ['attach', 'exec', 'portforward', 'proxy', 'log'];

/** More than one `Host`: a balancer before us may have believed the other one. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

/** What is wrong with a request whoever sends it. @throws 400 for a timeout that is no duration */
export const wellFormed: Stage = ({ info, incoming }) => {
  if (incoming.httpVersionMajor === 1 && hasSeveralHosts(incoming.rawHeaders)) {
    const refusal = plainText(400, '400 Bad Request: too many Host headers');
    return { ...refusal, headers: { connection: 'close' } };
  }
  if (info.path.includes('%') && brokenEscape.test(info.path)) return plainText(400, '400 Bad Request');
  const timeout = info.query.text('timeout');
  // What lasts has no such limit.
  if (!timeout || info.verb === 'watch' || connecting.includes(info.subresource)) return undefined;
  if (!duration.test(timeout)) throw badRequest('invalid timeout specified in the request URL');
  return undefined;
};
