// Plays matches concurrently, with one socket and one move at a time each, and prints the number of
// moves and the seconds as JSON. Arguments: port, matches, moves of each.
const { io } = require("socket.io-client");

const [port, matches, moves] = process.argv.slice(2).map(Number);

function openMatch(number) {
  return new Promise((resolve, reject) => {
    const id = `match-${number}`;
    const socket = io(`http://127.0.0.1:${port}/laying`, { transports: ["websocket"], forceNew: true });
    socket.on("connect_error", reject);
    socket.on("connect", () => socket.emit("sync", id, "0", undefined, 2));
    socket.once("sync", (_id, info) => resolve({ id, socket, state: info.state }));
  });
}

function playMatch({ id, socket, state }) {
  return new Promise((resolve) => {
    let left = moves;
    const play = (stateID, playerID) => {
      const payload = { type: "lay", args: [moves - left], playerID };
      socket.emit("update", { type: "MAKE_MOVE", payload }, stateID, id, playerID);
    };
    socket.on("update", (_id, now) => {
      left -= 1;
      if (left === 0) resolve(now._stateID);
      else play(now._stateID, now.ctx.currentPlayer);
    });
    play(state._stateID, state.ctx.currentPlayer);
  });
}

(async () => {
  const openMatches = await Promise.all([...Array(matches).keys()].map(openMatch));
  const began = process.hrtime.bigint();
  const reached = await Promise.all(openMatches.map(playMatch));
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  if (!reached.every((each) => each === moves)) throw new Error(`not all moves were played: ${reached}`);
  console.log(JSON.stringify({ commands: matches * moves, seconds }));
  process.exit(0);
})();
