import { untilTold } from '../../until-told.ts';

// An import of this module would load all that it can offer, and so hold up the start.
const { createServer } = process.getBuiltinModule('node:http');

const flag = '--listen-client-urls';

/**
 * The stand-in for `etcd`: says that it is well and holds nothing, since the stand-in for the API server keeps all in memory.
 * Resolves with the exit code once it has been told to stop.
 */
export async function main(args: readonly string[]): Promise<number> {
  const at = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  const [, url = args[at + 1] ?? ''] = args[at]?.split('=') ?? [];
  const [first = ''] = url.split(',');
  if (!URL.canParse(first)) {
    process.stderr.write(`touchstone: ${flag} must name where to listen, such as http://127.0.0.1:2379\n`);
    return 2;
  }
  const told = untilTold();
  const { hostname, port } = new URL(first);
  const server = createServer((request, response) => {
    const isWell = request.url === '/health';
    response.writeHead(isWell ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isWell ? '{"health":"true"}' : '{}');
  });
  const failed = new Promise<Error>((resolve) => server.once('error', resolve));
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''));
  const error = await Promise.race([failed, told]);
  if (error) process.stderr.write(`touchstone: ${error.message}\n`);
  server.close();
  server.closeAllConnections();
  return error ? 1 : 0;
}
