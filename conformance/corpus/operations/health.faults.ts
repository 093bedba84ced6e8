import { answerStatus, changeText, ignoreQuery } from '../../sabotage/transforms.ts';
import { fault, slip } from '../fault.ts';

const health = 'request/health.ts';
const life = 'request/life.ts';
const paths = 'request/paths.ts';

/** Checks of health, and what they tell of a server that is about to stop. */
export default [
  fault(
    'a check of health that there is not is well',
    ['health'],
    answerStatus(200, { path: /^\/(livez|readyz)\/[^/]+$/, instead: 404 }),
  ),
  fault(
    'checks that are left out are not spoken of',
    ['health'],
    changeText('', (text) => text.replaceAll(/^\[\+\]\S+ excluded: ok\n/gm, ''), {
      path: /^\/(livez|readyz|healthz)$/,
    }),
  ),
  slip(
    'of several checks that are to be left out the first is',
    ['health'],
    health,
    "const excluded = new Set(exchange.query.all('exclude'));",
    "const excluded = new Set(exchange.query.all('exclude').slice(0, 1));",
  ),
  slip(
    'a check that is left out is told as any other',
    ['health'],
    health,
    'lines.push(`[+]${each} excluded: ok`);',
    'lines.push(`[+]${each} ok`);',
  ),
  slip(
    'readyz is not there',
    ['health'],
    health,
    "(['healthz', 'livez', 'readyz'] as const)",
    "(['healthz', 'livez'] as const)",
  ),
  slip(
    'of two checks that are left out of health one is told as any other',
    ['health'],
    health,
    'if (!counts) lines.push(`[+]${each} excluded: ok`);',
    "if (!counts && !lines.some((line) => line.includes('excluded'))) lines.push(`[+]${each} excluded: ok`);\n      else if (!counts) lines.push(`[+]${each} ok`);",
  ),
  slip(
    'exclude leaves nothing out of a health check',
    ['health'],
    health,
    'const counts = !excluded.delete(each);',
    'const counts = !excluded.delete(each) || each !== "";',
  ),
  slip('verbose is brief', ['health'], health, "exchange.query.has('verbose') ? `${text} passed\\n` : 'ok'", "'ok'"),
  slip(
    'a server that is about to stop calls itself ready',
    ['health'],
    life,
    "if (this.#state === 'stopping') throw new Error('the server is stopping');",
    'void this.#state;',
  ),
  slip(
    'readyz knows no check of the registration of API services',
    ['health'],
    life,
    "  ['poststarthook/apiservice-registration-controller', 'apiServices'],\n",
    '',
  ),
  slip(
    'a server that is told to stop gives nobody the time to notice',
    ['health', 'component'],
    life,
    'if (notice > 0) await pause(this.#timers, notice);',
    'if (!(notice > 0)) await pause(this.#timers, notice);',
  ),
  slip(
    'a single health check answers as all of them',
    ['health'],
    paths,
    "const name = rest.length > 0 ? rest.join('/') : undefined;",
    'const name = (undefined);',
  ),
  slip(
    'an unknown check of health passes',
    ['health'],
    paths,
    'const fixed = services.paths.get(path);',
    "const fixed = services.paths.get(path) ?? (/^.(?:livez|readyz)./.test(path) ? services.paths.get('/livez') : undefined);",
  ),
  slip(
    'health as a whole is asked for as a check without a name',
    ['health'],
    paths,
    "const name = rest.length > 0 ? rest.join('/') : undefined;",
    "const name = !(rest.length > 0) ? rest.join('/') : undefined;",
  ),
  fault('livez leaves no check out', ['health'], ignoreQuery('exclude', { path: /^\/livez/ })),
  slip(
    'health is told to who shows no credentials though nobody may be anonymous',
    ['authn', 'health'],
    'request/access.ts',
    'const { token, warning } = readBearer(exchange.noticed.authorization);',
    "if (/^\\/(livez|readyz|healthz)$/.test(exchange.info.path) && exchange.noticed.authorization.length === 0) {\n    exchange.user = { name: 'system:anonymous', groups: ['system:unauthenticated'], uid: '', extra: {} };\n    return undefined;\n  }\n  const { token, warning } = readBearer(exchange.noticed.authorization);",
  ),
  slip(
    'a check that is left out is not told of',
    ['health'],
    'request/health.ts',
    'if (!counts) lines.push(`[+]${each} excluded: ok`);',
    'if (!counts) continue;',
  ),
  slip(
    'a check with a slash in its name is left out in vain',
    ['health'],
    'request/health.ts',
    "const excluded = new Set(exchange.query.all('exclude'));",
    "const excluded = new Set(exchange.query.all('exclude').filter((name) => !name.includes('/')));",
  ),
];
