// boardgame.io's server, started as in its documentation. Arguments: port, folder of the
// FlatFile store or "-" for the one in memory.
const { Server, FlatFile, Origins } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const [port, folder] = process.argv.slice(2);
const game = {
  name: "laying",
  setup: () => ({ cells: Array(217).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    lay: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
    },
  },
};
const server = Server({
  games: [game],
  origins: [Origins.LOCALHOST_IN_DEVELOPMENT],
  ...(folder === "-" ? {} : { db: new FlatFile({ dir: folder }) }),
});
server.run(Number(port), () => console.log("ready"));
