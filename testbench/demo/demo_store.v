// Storage of demo_fifo: four words, the head is visible while `valid`.
module demo_store(
  input clk,
  input rst,
  input push,
  input [100:0] din,
  output ready,
  input pop,
  output [100:0] dout,
  output valid
);
  reg [100:0] mem [0:3];
  reg [1:0] head;
  reg [1:0] tail;
  reg [2:0] count;

  always @(posedge clk) begin
    if (push) mem[tail] <= din;
    if (rst) begin
      head <= 2'd0;
      tail <= 2'd0;
      count <= 3'd0;
    end else begin
      if (push) tail <= tail + 2'd1;
      if (pop) head <= head + 2'd1;
      count <= count + {2'd0, push} - {2'd0, pop};
    end
  end

  assign dout = mem[head];
  assign valid = count != 3'd0;
  assign ready = count != 3'd4;
endmodule
