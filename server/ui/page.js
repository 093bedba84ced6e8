// The page as a whole: its views, and who is logged in.

import { showActivity } from './activity.js';
import { findToken, read, useToken } from './api.js';
import { $ } from './dom.js';
import { showEvents } from './events.js';
import { showFaults } from './faults.js';
import { showObjects } from './objects.js';

const tabs = [...document.querySelectorAll('[role=tab]')];

function choose(tab) {
  for (const each of tabs) {
    const isChosen = each === tab;
    each.ariaSelected = String(isChosen);
    each.tabIndex = isChosen ? 0 : -1;
    $(each.getAttribute('aria-controls')).hidden = !isChosen;
  }
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener('click', () => choose(tab));
  tab.addEventListener('keydown', ({ key }) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[key];
    if (to === undefined) return;
    const next = tabs.at(to % tabs.length);
    choose(next);
    next.focus();
  });
}

function state(kind, text) {
  $('state').dataset.state = kind;
  // What is said again would be read out again.
  if ($('state').textContent !== text) $('state').textContent = text;
}

let session = new AbortController();

function showLogin(isWanted) {
  $('login').hidden = !isWanted;
  for (const part of document.querySelectorAll('[role=tablist], main')) part.hidden = isWanted;
}

function logOut(text) {
  session.abort();
  state('bad', text);
  showLogin(true);
  $('token').focus();
}

/** What is wrong, by who says so: it is told as long as it lasts. */
function troubles() {
  const told = new Map();
  const tell = () => {
    const [trouble] = told.values();
    state(trouble ? 'bad' : 'good', trouble ?? 'live');
  };
  return (who) => (error) => {
    if (session.signal.aborted) return;
    if (error?.status === 401) return logOut('not logged in');
    if (error) told.set(who, error.message);
    else told.delete(who);
    tell();
  };
}

async function start() {
  session.abort();
  session = new AbortController();
  const { signal } = session;
  const of = troubles();
  try {
    const { gitVersion } = await read('/version');
    await showObjects(signal, of('objects'));
    $('server').textContent = `${location.origin}  ${gitVersion}`;
    showLogin(false);
    showEvents(signal, of('events'));
    showActivity(signal, of('activity'));
    await showFaults(signal, of('faults'));
  } catch (error) {
    logOut(error.status === 401 || error.status === 403 ? 'not logged in' : error.message);
  }
}

$('login').addEventListener('submit', (event) => {
  event.preventDefault();
  useToken($('token').value.trim());
  void start();
});

if (findToken()) void start();
else logOut('not logged in');
